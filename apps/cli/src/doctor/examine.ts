import { currentVersion, readDatabaseFacts } from '@tallystick/server/operator'
import { type Config, createDatabase, systemClock } from '@tallystick/server/platform'
import { EMBEDDED_CHAIN_ID, explainKnownFault, firstLine, runningStack } from '@tallystick/server/stack'
import { type Advice, well, wrong } from './advice.rules.ts'
import { adviseOnChain, adviseOnWorker, type CursorFacts } from './chain.rules.ts'
import { adviseOnDatabase } from './database.rules.ts'
import { lookAtDisk, lookAtNode, lookAtPorts, lookAtSecrets } from './look.ts'
import { adviseOnDisk, adviseOnNodeVersion, adviseOnPort, adviseOnSecrets } from './machine.rules.ts'
import { adviseOnSettings } from './settings.rules.ts'

type Cursors = ReadonlyMap<number, CursorFacts>

interface Deployment {
  readonly databaseUrl: string
  readonly chains: readonly { readonly chainId: number | undefined; readonly urls: readonly string[] }[]
  readonly isEmbedded: boolean
}

/** Null: everything is embedded, and nothing runs. */
function deploymentOf(config: Config): Deployment | null {
  if (config.external) {
    const { databaseUrl, directUrl = databaseUrl, chains } = config.external
    return { databaseUrl: directUrl, chains, isEmbedded: false }
  }
  const running = runningStack(config.DATA_DIR)
  if (!running) return null
  const chains = [{ chainId: EMBEDDED_CHAIN_ID, urls: [running.rpcUrl] }]
  return { databaseUrl: running.databaseUrl, chains, isEmbedded: true }
}

async function examineDatabase(
  config: Config,
  { databaseUrl, isEmbedded }: Deployment,
): Promise<{ advice: readonly Advice[]; cursors: Cursors | null }> {
  const options = { url: databaseUrl, poolSize: 1, applicationName: 'tally-doctor', serves: 'jobs' as const }
  const database = createDatabase({ ...options, connectTimeoutSeconds: 5 })
  try {
    const facts = await readDatabaseFacts(database)
    const around = { ownVersion: currentVersion(), now: systemClock.now(), pool: config.DATABASE_POOL, isEmbedded }
    return {
      advice: adviseOnDatabase(facts, around),
      cursors: facts.schemaVersion === 0 ? null : new Map(facts.cursors.map((cursor) => [cursor.chainId, cursor])),
    }
  } catch (error) {
    const says = explainKnownFault(error) ?? `The database cannot be used: ${firstLine((error as Error).message)}`
    const todo = 'Check that PostgreSQL runs and that DATABASE_URL names its host, user, password and database.'
    return { advice: [wrong('database', says, todo)], cursors: null }
  } finally {
    await database.close()
  }
}

async function examineChains(config: Config, deployment: Deployment, cursors: Cursors | null) {
  const { chains, isEmbedded } = deployment
  const examined = await Promise.all(
    chains.map(async ({ chainId: promised, urls }) => {
      const nodes = await Promise.all(urls.map((url) => lookAtNode(url, Math.min(config.RPC_TIMEOUT_MS, 5_000))))
      const now = systemClock.now()
      const advice = adviseOnChain(nodes, { promised, now, confirmations: config.CONFIRMATIONS, isEmbedded })
      const served = nodes.find(({ head }) => head !== null)
      const followed =
        cursors && served?.chainId && served.head
          ? adviseOnWorker(served.chainId, served.head.number, cursors.get(served.chainId), now)
          : []
      return [...advice, ...followed]
    }),
  )
  return examined.flat()
}

/** Looks at everything that a deployment stands on, and changes nothing. */
export async function examine(readConfig: () => Config): Promise<readonly Advice[]> {
  const machine = adviseOnNodeVersion(process.versions.node)
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    const todo = 'Correct the setting: docs/configuration.md has them all.'
    return [machine, wrong('settings', firstLine((error as Error).message), todo)]
  }
  const secrets = lookAtSecrets(config)
  const here = [
    machine,
    ...adviseOnSettings(config),
    adviseOnDisk(config.DATA_DIR, lookAtDisk(config.DATA_DIR)),
    ...(await lookAtPorts(config)).map(adviseOnPort),
    ...(secrets.length > 0 ? adviseOnSecrets(secrets) : []),
  ]
  const deployment = deploymentOf(config)
  if (!deployment) {
    const says = `Nothing runs in ${config.DATA_DIR}: the embedded database and chain were not looked at. npm start starts them.`
    return [...here, well('stack', says)]
  }
  const { advice, cursors } = await examineDatabase(config, deployment)
  return [...here, ...advice, ...(await examineChains(config, deployment, cursors))]
}
