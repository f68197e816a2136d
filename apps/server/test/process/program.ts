import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { later } from './cleanup.ts'
import { bundled, type Main, repository } from './programs.ts'

export interface RunOptions {
  readonly env?: Record<string, string>
  readonly args?: readonly string[]
  readonly user?: { readonly uid: number; readonly gid: number }
}

export interface Program {
  readonly pid: number
  stdout(): string
  stderr(): string
  /** Resolves with the first match in what was printed; rejects when the program ends without printing it. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Exit code; null: ended by a signal. */
  readonly ended: Promise<number | null>
  signal(signal: NodeJS.Signals): void
  kill9(): Promise<void>
  /** Closes our end of its output, like a reader who went away. */
  stopReading(): void
}

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Starts a main of the product as a process of its own. It does not outlive the test. */
export async function run(main: Main, options: RunOptions = {}): Promise<Program> {
  return watch(process.execPath, [await bundled(main), ...(options.args ?? [])], options)
}

/** Starts any command the way a shell does, as the leader of its own process group. */
export function runCommand(command: string, args: readonly string[], options: RunOptions = {}): Program {
  return watch(command, args, options)
}

function watch(command: string, args: readonly string[], { env = {}, user }: RunOptions): Program {
  const child = spawn(command, [...args], {
    cwd: repository,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...user,
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => {
      printed[stream] += chunk.toString('utf8')
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const pid = child.pid ?? 0

  async function kill9(): Promise<void> {
    if (isAlive(child)) process.kill(-pid, 'SIGKILL')
    await ended
  }
  later(kill9)

  return {
    pid,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    async prints(pattern) {
      for (;;) {
        const match = pattern.exec(printed.stdout)
        if (match) return match
        if (!isAlive(child))
          throw new Error(`ended with ${await ended} instead of printing ${pattern}: ${printed.stderr}`)
        await sleep(20)
      }
    },
    ended,
    signal: (signal) => void process.kill(-pid, signal),
    kill9,
    stopReading: () => child.stdout.destroy(),
  }
}
