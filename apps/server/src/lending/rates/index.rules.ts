export { exitHorizon } from './exit-horizon.rules.ts'
export { closedReason, termReach } from './term-config.rules.ts'
