import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DemoFile, readDemoFile } from './demo-file.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const READY = 'Tallystick is ready'

export interface RunningDemo {
  readonly file: DemoFile
  /** The file as it is now: the keeper of the demo replaces what was used up. */
  fileNow(): DemoFile
  stop(): Promise<void>
}

async function isServing({ baseUrl }: DemoFile): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`)).ok
  } catch {
    return false
  }
}

/** The demo that somebody started with `npm start`, if it runs. */
export async function findDemo(path = join(ROOT, 'var', 'demo.json')): Promise<RunningDemo | undefined> {
  if (!existsSync(path)) return undefined
  const file = readDemoFile(path)
  const fileNow = () => readDemoFile(path)
  return (await isServing(file)) ? { file, fileNow, stop: async () => {} } : undefined
}

/** What `npm start` runs. */
const PROGRAM = [join(ROOT, 'tools/bin/run-program.mjs'), 'embedded']

/** A demo of our own: free ports, a temporary folder, and nothing of it is left behind. `abandoned` ends it at any time. */
export async function startDemo(
  abandoned?: AbortSignal,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-tour-'))
  // The database server of root runs as somebody else, who has to get in: otherwise its files would go elsewhere, and stay there.
  chmodSync(folder, 0o755)
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', CHAIN_PORT: '0', OPS_PORT: '0', ...settings }
  const child = spawn(process.execPath, PROGRAM, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  abandoned?.addEventListener('abort', () => child.kill('SIGINT'))
  let said = ''
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes(READY)) resolve(true)
      })
    void ended.then(() => resolve(false))
  })
  async function stop(): Promise<void> {
    child.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const fileNow = () => readDemoFile(join(folder, 'demo.json'))
  if (await ready) return { file: fileNow(), fileNow, stop }
  await stop()
  throw new Error(`the demo did not start: ${said.trim()}`)
}
