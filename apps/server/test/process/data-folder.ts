import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoWorld } from '@tallystick/demo'
import { isChainNode } from '@tallystick/embedded'
import { later } from './cleanup.ts'
import { type Program, type RunOptions, run } from './program.ts'
import { runningCommands } from './running-commands.ts'

/** Ids of the database server and the chain node that keep their files in a folder. */
export function partsIn(folder: string): { postgres: number[]; chain: number[] } {
  const lines = runningCommands()
  const found = (isOne: (line: string) => boolean) =>
    lines.filter((line) => line.includes(`${folder}/`) && isOne(line)).map((line) => Number.parseInt(line, 10))
  return { postgres: found((line) => /postgres -D /.test(line)), chain: found((line) => isChainNode(line)) }
}

export function kill9(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

/** An empty folder that a database server may use whoever runs it; whatever still runs in it ends with the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-process-'))
  chmodSync(folder, 0o755)
  later(async () => {
    const { postgres, chain } = partsIn(folder)
    kill9([...postgres, ...chain])
    await sleep(postgres.length + chain.length > 0 ? 300 : 0)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/** A copy of a stack that was stopped, with the owners of its files. */
export function copyOf(seeded: string): string {
  const folder = emptyFolder()
  execFileSync('cp', ['-a', `${seeded}/.`, folder])
  return folder
}

export function readDemo(folder: string): DemoWorld {
  return JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoWorld
}

export const isAnnounced = (folder: string): boolean => existsSync(join(folder, 'stack.json'))

export interface RunningStack extends Program {
  readonly url: string
  readonly opsUrl: string
  readonly demo: DemoWorld
}

export const stackEnvironment = (folder: string): Record<string, string> => ({
  DATA_DIR: folder,
  PORT: '0',
  CHAIN_PORT: '0',
  OPS_PORT: '0',
  ...(process.env.CHAIN_NODE ? { CHAIN_NODE: process.env.CHAIN_NODE } : {}),
})

/** The whole product on a folder, ready to be used. */
export async function startStack(folder: string, { env = {}, ...more }: RunOptions = {}): Promise<RunningStack> {
  const program = await run('embedded', { env: { ...stackEnvironment(folder), ...env }, ...more })
  const [, url = '', opsUrl = ''] = await program.prints(
    /API {7}(http\S+)[\s\S]+Metrics {3}(http\S+)\/metrics[\s\S]+Ctrl-C/,
  )
  return { ...program, url, opsUrl, demo: readDemo(folder) }
}

export async function stopStack(stack: Program): Promise<void> {
  stack.signal('SIGINT')
  const code = await stack.ended
  if (code !== 0) throw new Error(`a stack ended with ${code}: ${stack.stderr()}`)
}
