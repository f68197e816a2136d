export { bidFloor, bidProblem, purseProblem } from './atomic.rules.ts'
export { ATOMIC_IN_HAND, gasLimitOf } from './gas-limit.rules.ts'
export { shownSurplus } from './waterfall-shown.rules.ts'
