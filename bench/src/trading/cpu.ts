import { readdirSync, readFileSync } from 'node:fs'
import type postgres from 'postgres'

/** Linux counts the time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100

interface ProcessTimes {
  readonly parent: number
  /** Its own. */
  readonly ticks: number
  /** Of children that have ended and were waited for. */
  readonly ofChildren: number
}

function timesOf(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in brackets and may hold anything.
    const [, parent, , , , , , , , , , user, system, childUser, childSystem] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const sum = (a = 0, b = 0) => a + b
    return { parent: parent ?? 0, ticks: sum(user, system), ofChildren: sum(childUser, childSystem) }
  } catch {
    return undefined
  }
}

/** Seconds of CPU that a process has used, with all of its threads. */
export const cpuOf = (pid: number): number => (timesOf(pid)?.ticks ?? 0) / TICKS_PER_SECOND

/** The processes that one has started, by what they run. */
export function childOf(parent: number, name: string): number {
  for (const pid of readdirSync('/proc').map(Number))
    if (Number.isInteger(pid) && timesOf(pid)?.parent === parent && nameOf(pid) === name) return pid
  throw new Error(`process ${parent} runs no ${name}`)
}

function nameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Seconds of CPU that a database has used: its first process, and all that it started. */
export function cpuOfDatabase(postmaster: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const times = timesOf(pid)
    if (pid === postmaster) ticks += (times?.ticks ?? 0) + (times?.ofChildren ?? 0)
    else if (times?.parent === postmaster) ticks += times.ticks
  }
  return ticks / TICKS_PER_SECOND
}

/** The first process of a database, by the file that it keeps. */
export async function postmasterOf(superuser: postgres.Sql): Promise<number> {
  const [row] = await superuser<{ pid: string }[]>`select split_part(pg_read_file('postmaster.pid'), E'\n', 1) as pid`
  return Number(row?.pid)
}
