import { rmSync } from 'node:fs'
import { AlreadyRunningError } from '../errors.ts'
import { abandonedChild, livingOwner } from '../ownership.ts'
import { findProcesses, processCommand } from '../process-inspection.ts'
import { type SignalStep, signalUntilGone } from '../signal-steps.ts'
import { allEngines } from './engines.ts'
import { inScratchFolder, scratchFolders } from './scratch-folder.ts'

/** The first signal lets a node finish what it writes. */
export const nodeStopSteps: SignalStep[] = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/** Whether a command line is that of a chain node; of the chain in that folder, when one is given. */
export function isChainNode(command: string | undefined, folder?: string): boolean {
  return command !== undefined && allEngines().some((engine) => engine.isNode(command, folder))
}

/** Beside the files of a chain: the log and the owner note of its node. */
export const besideChain = (folder: string): string => `${folder}/node`

/** Stops a node that a dead parent left behind with the same files: two would overwrite each other's chain. */
export async function stopOrphanedNode(folder: string): Promise<void> {
  const isOurs = (command: string | undefined) => isChainNode(command, folder)
  for (const pid of findProcesses(isOurs)) {
    const owner = livingOwner(besideChain(folder), pid)
    if (owner !== undefined) throw new AlreadyRunningError('The chain node', folder, owner)
    await signalUntilGone(pid, nodeStopSteps, () => isOurs(processCommand(pid)))
  }
}

/** Ends nodes without files, and their folders, that were left behind by parents which are certainly dead. */
export async function stopAbandonedChains(): Promise<void> {
  for (const folder of scratchFolders()) {
    const pid = abandonedChild(inScratchFolder(folder))
    if (pid === undefined) continue
    await signalUntilGone(pid, [{ signal: 'SIGKILL', waitMs: 5_000 }], () => isChainNode(processCommand(pid)))
    rmSync(folder, { recursive: true, force: true })
  }
}
