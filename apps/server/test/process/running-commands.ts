import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { processCommand } from '@tallystick/embedded'

/** A line for each process: its id and its command. Linux tells by itself; `ps` is asked only where there is nothing else. */
export function runningCommands(): string[] {
  if (!existsSync('/proc/self/cmdline'))
    return execFileSync('ps', ['-ww', '-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => `${pid} ${processCommand(Number(pid)) ?? ''}`)
}
