export { startDemo } from '../demo/start-demo.ts'
export { openConsole, signInAs } from './console-page.ts'
export { openBrowser } from './open-browser.ts'
