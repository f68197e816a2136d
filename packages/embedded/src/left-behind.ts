import { stopOrphanedNode } from './chain/recovery.ts'
import { canonicalFolder } from './chain/start-chain.ts'
import { existingData } from './postgres/data-location.ts'
import { clearTheWay } from './postgres/recovery.ts'

/** Stops a server and a node that a dead parent left behind, before their files are deleted; a living parent's are refused. */
export async function stopLeftBehind(files: { dataDir: string; chainFolder: string }): Promise<void> {
  await clearTheWay(existingData(files.dataDir))
  await stopOrphanedNode(canonicalFolder(files.chainFolder))
}
