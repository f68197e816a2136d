import { stopOrphanedAnvil } from './anvil/recovery.ts'
import { canonicalStateFile } from './anvil/state-file.ts'
import { existingData } from './postgres/data-location.ts'
import { clearTheWay } from './postgres/recovery.ts'

/** Stops a server and a node that a dead parent left behind, before their files are deleted; a living parent's are refused. */
export async function stopLeftBehind(files: { dataDir: string; stateFile: string }): Promise<void> {
  await clearTheWay(existingData(files.dataDir))
  await stopOrphanedAnvil(canonicalStateFile(files.stateFile))
}
