import { createDemo, type Demo } from './demo.ts'
import { readDemoFile } from './demo-file.ts'
import type { Observer } from './observer.ts'

/** Says what came of each step, as a program prints it. */
const plain: Observer = {
  step: (title) => console.log(`\n${title}`),
  request: () => {},
  signed: () => {},
  show: (what, value) => console.log(`${what}: ${value}`),
}

let shown: Demo | undefined

/** What the journeys open until the next call: the tour and the tests show them a demo of their own. */
export function showDemo(demo: Demo): void {
  shown = demo
}

/** The demo that runs beside the program: `var/demo.json`, or the file that its first argument names. */
export function openDemo(): Demo {
  return shown ?? createDemo(readDemoFile(process.argv[2] ?? 'var/demo.json'), plain)
}
