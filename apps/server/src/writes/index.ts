export { effectsOf } from './effects.ts'
export { createEventStore } from './events.service.ts'
export type { Projection } from './projection.ts'
export { rebuild } from './rebuild.service.ts'
export { grantAccess } from './recordings.store.ts'
export { type ConfirmCandidate, candidate } from './verification.ts'
export { type Along, type Asked, type Evidence, type OmitEach, writesOf } from './write.ts'
export {
  type Alongside,
  type ConcernedContract,
  type ConfirmedCandidate,
  type ConfirmedEffect,
  createWritesService,
  type WritesService,
} from './writes.service.ts'
