import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { onTestFinished } from 'vitest'
import { type EngineName, processCommand } from '../src/index.ts'

export const isRoot = process.getuid?.() === 0
/** An ordinary user that exists nearly everywhere. */
export const nobody = { uid: 65534, gid: 65534 }
export const childProgram = fileURLToPath(new URL('./start-in-child.ts', import.meta.url))

/** mkdtemp closes its folder to everybody else; the database runs as another user when the tests run as root. */
export function openFolder(mode = 0o777): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-embedded-'))
  chmodSync(folder, mode)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function stopAfterTest<Running extends { stop(): Promise<void> }>(running: Running): Running {
  onTestFinished(() => running.stop())
  return running
}

export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

export interface Reported {
  url: string
  pid: number
  uid: number
}

/** Runs the starter in a process of its own, which can then be killed like a crashed service. A chain without a path is one in memory. */
export async function startInChild(
  program: 'postgres' | EngineName,
  path: string,
  then: 'wait' | 'stop',
  user?: { uid: number; gid: number },
): Promise<{ child: ChildProcess; reported: Reported }> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const child = spawn(process.execPath, ['--import', loader, childProgram, program, path, then], {
    ...user,
    env: { ...process.env, ...(user ? { HOME: '/nonexistent' } : {}) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const reported = JSON.parse(line) as Reported
  onTestFinished(() => {
    if (processCommand(reported.pid)?.includes(path)) process.kill(reported.pid, 'SIGKILL')
  })
  return { child, reported }
}

export async function kill9(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
