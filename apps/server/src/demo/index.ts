export { seedDemo } from './demo.service.ts'
export { demoFile } from './demo-world.ts'
export { createMarketKeeper } from './markets/index.ts'
export { welcome } from './welcome.ts'
