export { type LineKind, lineKinds } from './transactions.rules.ts'
