export { mountDocs } from './mount-docs.ts'
