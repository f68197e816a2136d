export { addressIn, IMPLEMENTATION_SLOT, targets } from './targets.rules.ts'
