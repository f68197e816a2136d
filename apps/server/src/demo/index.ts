export { seedDemo } from './demo.service.ts'
export { welcome } from './welcome.ts'
