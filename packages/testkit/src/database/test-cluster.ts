import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres, stopIfAbandoned } from '@tallystick/embedded'
import { connectTestCluster, type TestDatabases } from './test-databases.ts'
import { standbysIn, startStandby, type TestStandby } from './test-standby.ts'
import { throwAwayParent, throwAwayParents } from './throw-away-folder.ts'

export interface TestCluster extends TestDatabases {
  superuserUrl: string
  /** A second server that follows it. */
  addStandby(settings?: Record<string, string>): Promise<TestStandby>
  stop(): Promise<void>
}

const prefix = 'tallystick-cluster-'

/** One throw-away PostgreSQL; hand `superuserUrl` to other processes, which use `connectTestCluster`. */
export async function createTestCluster(settings: Record<string, string> = {}): Promise<TestCluster> {
  await removeAbandonedClusters()
  const folder = mkdtempSync(join(throwAwayParent({ onDisk: settings.fsync === 'on' }), prefix))
  // As root, the database runs as another user, who must be able to enter.
  chmodSync(folder, 0o755)
  const server = await startPostgres({ dataDir: join(folder, 'data'), durable: false, settings })
  const databases = await connectTestCluster(server.url)
  const standbys: TestStandby[] = []
  return {
    ...databases,
    superuserUrl: server.url,
    async addStandby(own = {}) {
      const standby = await startStandby(server, {
        folder,
        number: standbys.length + 1,
        settings: { ...settings, ...own },
      })
      standbys.push(standby)
      return standby
    },
    async stop() {
      await Promise.all(standbys.map((standby) => standby.stop()))
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Test runs that were killed leave a server behind, each in a folder of its own that nobody would ever start again. */
async function removeAbandonedClusters(): Promise<void> {
  for (const parent of throwAwayParents())
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(prefix)) continue
      const folder = join(parent, name)
      const stopped = await Promise.all(standbysIn(folder).map(stopIfAbandoned))
      if ((await stopIfAbandoned(join(folder, 'data'))) || stopped.some(Boolean))
        rmSync(folder, { recursive: true, force: true })
    }
}
