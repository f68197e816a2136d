import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `postmaster.pid` in the data folder: line 1 is the process id, line 8 its state. */
export interface Postmaster {
  pid: number
  ready: boolean
}

export function readPostmaster(dataDir: string): Postmaster | undefined {
  try {
    const lines = readFileSync(postmasterFile(dataDir), 'utf8').split('\n')
    return { pid: Math.abs(Number(lines[0])), ready: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

export function postmasterFile(dataDir: string): string {
  return join(dataDir, 'postmaster.pid')
}
