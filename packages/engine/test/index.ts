export { type RunOptions, type RunReport, runDifferential } from './differential/run.ts'
