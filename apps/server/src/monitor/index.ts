export { startMonitorJob } from './monitor.job.ts'
