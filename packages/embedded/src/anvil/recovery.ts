import { rmSync } from 'node:fs'
import { AlreadyRunningError } from '../errors.ts'
import { abandonedChild, livingOwner } from '../ownership.ts'
import { findProcesses, processCommand } from '../process-inspection.ts'
import { type SignalStep, signalUntilGone } from '../signal-steps.ts'
import { inScratchFolder, scratchFolders } from './scratch-folder.ts'

/** The first signal makes the node write its state. */
export const anvilStopSteps: SignalStep[] = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/** Stops a node that a dead parent left behind with the same state file: two would overwrite each other's chain. */
export async function stopOrphanedAnvil(stateFile: string): Promise<void> {
  const isOurs = (command: string | undefined) => command !== undefined && isAnvilWith(stateFile, command)
  for (const pid of findProcesses(isOurs)) {
    const owner = livingOwner(stateFile, pid)
    if (owner !== undefined) throw new AlreadyRunningError('anvil', stateFile, owner)
    await signalUntilGone(pid, anvilStopSteps, () => isOurs(processCommand(pid)))
  }
}

function isAnvilWith(stateFile: string, command: string): boolean {
  return /(^|\/)anvil --host /.test(command) && `${command} `.includes(` --state ${stateFile} `)
}

/** Ends nodes without a state file, and their folders, that were left behind by parents which are certainly dead. */
export async function stopAbandonedChains(): Promise<void> {
  for (const folder of scratchFolders()) {
    const pid = abandonedChild(inScratchFolder(folder))
    if (pid === undefined) continue
    const isNode = () => processCommand(pid)?.includes('anvil --host ') ?? false
    await signalUntilGone(pid, [{ signal: 'SIGKILL', waitMs: 5_000 }], isNode)
    rmSync(folder, { recursive: true, force: true })
  }
}
