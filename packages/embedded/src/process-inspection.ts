import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const hasProcFilesystem = existsSync('/proc/self/cmdline')

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The command line, arguments joined by one space; undefined for a process that is gone or only a zombie. */
export function processCommand(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return hasProcFilesystem ? commandFromProc(pid) : commandFromPs(pid)
}

export function parentPid(pid: number): number | undefined {
  try {
    if (!hasProcFilesystem) return Number(ps('-o', 'ppid=', '-p', String(pid)).trim())
    const match = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return match ? Number(match[1]) : undefined
  } catch {
    return undefined
  }
}

/** What a process holds of the machine's memory; 0 for one that is gone. */
export function residentBytes(pid: number): number {
  try {
    const kilobytes = hasProcFilesystem
      ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : ps('-o', 'rss=', '-p', String(pid))
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

export function findProcesses(matches: (command: string) => boolean): number[] {
  return listProcesses()
    .filter(({ pid, command }) => pid !== process.pid && matches(command))
    .map(({ pid }) => pid)
}

function listProcesses(): { pid: number; command: string }[] {
  if (!hasProcFilesystem) {
    return ps('-axo', 'pid=,command=')
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
      .flatMap((match) => (match ? [{ pid: Number(match[1]), command: match[2] ?? '' }] : []))
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = commandFromProc(Number(name))
      return command === undefined ? [] : [{ pid: Number(name), command }]
    })
}

function commandFromProc(pid: number): string | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
    return command === '' ? undefined : command
  } catch {
    return undefined
  }
}

function commandFromPs(pid: number): string | undefined {
  try {
    const state = ps('-o', 'state=', '-p', String(pid)).trim()
    const command = ps('-o', 'command=', '-p', String(pid)).trim()
    return command === '' || state.startsWith('Z') ? undefined : command
  } catch {
    return undefined
  }
}

function ps(...args: string[]): string {
  return execFileSync('ps', ['-ww', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
