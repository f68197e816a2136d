import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface RunningDemo<World> {
  readonly pid: number
  readonly folder: string
  readonly metricsUrl: string
  /** What stands in its `demo.json`. */
  readonly world: World
  stop(): Promise<void>
}

/** The demo as anybody starts it, on free ports and in a folder of its own, once it is ready. */
export async function startDemo<World>(...options: readonly string[]): Promise<RunningDemo<World>> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-demo-'))
  chmodSync(folder, 0o755)
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', CHAIN_PORT: '0', OPS_PORT: '0' }
  const program = [join(root, 'tools/bin/run-program.mjs'), 'embedded', ...options]
  const child = spawn(process.execPath, program, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  async function stop(): Promise<void> {
    child.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().then(() => process.exit(1)))

  let said = ''
  const metricsUrl = await new Promise<string | undefined>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const [, url] = /Metrics +(http\S+)/.exec(said) ?? []
      if (url) resolve(url)
    })
    void ended.then(() => resolve(undefined))
  })
  if (!metricsUrl) throw new Error(`the demo did not start: ${said}`)
  const world = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as World
  return { pid: child.pid ?? 0, folder, metricsUrl, world, stop }
}
