export { ATOMIC_IN_HAND, gasLimitOf } from './gas-limit.rules.ts'
