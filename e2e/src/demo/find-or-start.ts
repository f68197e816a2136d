import { findDemo, type RunningDemo, startDemo } from './start-demo.ts'

/** The demo that runs, at `path` if that is given. Where none runs, one is started in a temporary folder; Ctrl-C ends it. */
export async function findOrStartDemo(path: string | undefined): Promise<RunningDemo> {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())
  const running = await findDemo(path)
  if (running) {
    interrupted.signal.addEventListener('abort', () => process.exit(130))
    return running
  }
  if (path) throw new Error(`no demo answers at what ${path} says; start one with npm start`)
  console.log('No demo runs: starting one in a temporary folder…')
  const startedAt = performance.now()
  const started = await startDemo(interrupted.signal)
  console.log(`Ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  return started
}
