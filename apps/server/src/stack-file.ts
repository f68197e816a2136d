import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPid } from '@tallystick/embedded'

/** Where the CLI finds a stack that runs. */
export interface RunningStack {
  readonly pid: number
  readonly databasePid: number
  readonly databaseUrl: string
  readonly rpcUrl: string
}

const fileOf = (dataDir: string) => join(dataDir, 'stack.json')

export function announceStack(dataDir: string, stack: RunningStack): void {
  writeFileSync(fileOf(dataDir), JSON.stringify(stack), { mode: 0o600 })
}

export function withdrawStack(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true })
}

/** A stack that another process started and that still runs, or undefined. */
export function runningStack(dataDir: string): RunningStack | undefined {
  let stack: RunningStack
  try {
    stack = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunningStack
  } catch {
    return undefined
  }
  // A process that was killed leaves its file behind, and a stranger may get its number: the database must still be its child.
  return parentPid(stack.databasePid) === stack.pid ? stack : undefined
}
