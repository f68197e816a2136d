// The parts of which a process is made.
export { startApi } from './api.ts'
export { startApiAndWorker } from './api-and-worker.ts'
export type { DevelopmentCall, DevelopmentRole, DevelopmentRoles } from './development/index.ts'
export { startOps } from './ops.ts'
export { createMetrics } from './platform/metrics.ts'
export { startTelemetry } from './platform/telemetry.ts'
export { runMain, type Stoppable } from './run-main.ts'
export { startWorker } from './worker.ts'
