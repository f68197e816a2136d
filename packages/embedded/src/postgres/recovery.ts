import { rmSync } from 'node:fs'
import { AlreadyRunningError } from '../errors.ts'
import { abandonedChild, livingOwner } from '../ownership.ts'
import { isAlive, processCommand } from '../process-inspection.ts'
import { type SignalStep, signalUntilGone } from '../signal-steps.ts'
import { postmasterFile, readPostmaster } from './postmaster-file.ts'

/** Fast shutdown, then without a checkpoint (replays its log at the next start), then by force. */
export const postgresStopSteps: SignalStep[] = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/** Stops a server that a dead parent left behind, and removes a lock file that names a stranger's process. */
export async function clearTheWay(dataDir: string): Promise<void> {
  const pid = readPostmaster(dataDir)?.pid
  if (pid === undefined) return
  if (isPostmasterOf(pid, dataDir)) {
    const owner = livingOwner(dataDir, pid)
    if (owner !== undefined) throw new AlreadyRunningError('PostgreSQL', dataDir, owner)
    await signalUntilGone(pid, postgresStopSteps, () => isPostmasterOf(pid, dataDir))
  }
  // The lock of a dead process is left to PostgreSQL itself, which then also waits for that server's last children.
  if (isAlive(pid) && !isPostmasterOf(pid, dataDir)) rmSync(postmasterFile(dataDir), { force: true })
}

/** For throw-away databases: stops the server when the process that started it is certainly dead. */
export async function stopIfAbandoned(dataDir: string): Promise<boolean> {
  if (abandonedChild(dataDir) === undefined) return false
  await clearTheWay(dataDir)
  return true
}

function isPostmasterOf(pid: number, dataDir: string): boolean {
  const command = processCommand(pid)
  return command !== undefined && /(^|\/)postgres /.test(command) && `${command} `.includes(` -D ${dataDir} `)
}
