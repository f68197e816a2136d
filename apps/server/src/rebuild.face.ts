// Apart from the rest of what an operator does: it knows every feature.
export { callKinds, projections } from './features.ts'
export { rebuild } from './writes/index.ts'
