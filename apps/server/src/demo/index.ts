export { seedDemo } from './demo.service.ts'
export { demoFile } from './demo-world.ts'
export { welcome } from './welcome.ts'
