import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartFailedError } from './errors.ts'
import { type SignalStep, signalUntilGone } from './signal-steps.ts'

export interface SupervisedProcess {
  pid: number
  /** Resolves when the process has gone, whoever ended it. */
  exited: Promise<void>
  hasExited(): boolean
  /** What this run has written to the log so far, its last lines. */
  logTail(): string
  stop(): Promise<void>
  kill9(): void
}

export interface SupervisedProcessOptions {
  binary: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  user?: { uid: number; gid: number }
  logFile: string
  stopSteps: SignalStep[]
}

export async function spawnSupervised(options: SupervisedProcessOptions): Promise<SupervisedProcess> {
  mkdirSync(dirname(options.logFile), { recursive: true })
  const log = openSync(options.logFile, 'a', 0o600)
  const logStart = fstatSync(log).size
  const child = spawn(options.binary, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', log, log],
    // Own process group: Ctrl-C in a terminal must reach the parent only, which then stops its children in order.
    detached: true,
    ...options.user,
  })
  closeSync(log)
  const pid = await spawnedPid(child, options.binary)

  let gone = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      gone = true
      resolve()
    })
  })
  // A running child must not keep its parent alive; only somebody who waits for its end may.
  child.unref()

  return {
    pid,
    exited,
    hasExited: () => gone,
    logTail: () =>
      readFileSync(options.logFile).subarray(logStart).toString('utf8').trim().split('\n').slice(-12).join('\n'),
    async stop() {
      if (gone) return
      child.ref()
      await signalUntilGone(pid, options.stopSteps, () => !gone)
      await exited
    },
    kill9() {
      if (gone) return
      child.ref()
      child.kill('SIGKILL')
    },
  }
}

function spawnedPid(child: ChildProcess, binary: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new StartFailedError(`${binary} could not be started: ${error.message}`)))
    child.once('spawn', () => resolve(child.pid ?? 0))
  })
}
