export type { DemoWorld } from './demo-world.ts'
