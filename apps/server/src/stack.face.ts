// The embedded stack and its files.
export { deleteStack, demoFile, startEmbeddedStack } from './embedded-stack.ts'
