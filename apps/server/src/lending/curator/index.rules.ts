export { realizationName } from './factory-entry.rules.ts'
