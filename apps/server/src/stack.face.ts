// The embedded stack, its files, and why something could not start.
export type { Endpoints } from './connections.ts'
export { chainFolder, deleteStack, demoFile, EMBEDDED_CHAIN_ID, startEmbeddedStack } from './embedded-stack.ts'
export { runningStack } from './stack-file.ts'
export { explainKnownFault, firstLine } from './start-failure.ts'
