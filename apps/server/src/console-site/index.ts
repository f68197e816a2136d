export { type ConsoleSite, createConsoleSite } from './console-site.ts'
