import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

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

/** Whether it is this process that listens on a port, of which it is known that somebody does. Where the machine does not tell, it is believed. */
export function isListeningOn(pid: number, port: number): boolean {
  try {
    if (!hasProcFilesystem) return execFileSync('lsof', lsofArguments(pid, port), { stdio: 'pipe' }).length > 0
    const sockets = listeningSockets(port)
    if (sockets.length > 0) return sockets.some((socket) => hasOpen(pid, `socket:[${socket}]`))
  } catch (error) {
    // What lsof answers when there is none.
    if ((error as { status?: number }).status === 1) return false
  }
  // Of a process that has just gone nothing can be read either.
  return processCommand(pid) !== undefined
}

const lsofArguments = (pid: number, port: number) => [
  ...['-nP', '-a', '-t', '-sTCP:LISTEN'],
  ...['-p', String(pid), `-iTCP:${port}`],
]

/** Their numbers in the kernel: of rows with this port, in hexadecimal digits, and the state LISTEN. */
function listeningSockets(port: number): string[] {
  const listens = new RegExp(
    `^\\s*\\d+: [0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, '0')} [0-9A-F]+:0000 0A `,
  )
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .filter((table) => existsSync(table))
    .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
    .filter((row) => listens.test(row))
    .flatMap((row) => row.trim().split(/\s+/)[9] ?? [])
}

function hasOpen(pid: number, name: string): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((file) => linkOf(`${folder}/${file}`) === name)
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    // Closed since the folder was read.
    return undefined
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
