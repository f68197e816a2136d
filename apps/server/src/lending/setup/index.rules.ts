export { admissionTasks } from './admission-tasks.rules.ts'
export type { SetupTask } from './setup-tasks.rules.ts'
export { type Admission, admissionOf } from './token-admission.rules.ts'
