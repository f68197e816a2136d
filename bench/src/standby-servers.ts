import { createApp } from '../../apps/server/src/app.ts'
import { connectChains } from '../../apps/server/src/platform/chain/chains.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../apps/server/src/platform/db/database.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'

/** The product without and with a standby, in one process. Prints the ports and serves until it is killed. */
const [url = '', readUrl = '', rpcUrl = ''] = process.argv.slice(2)
const chains = await connectChains([{ chainId: undefined, urls: [rpcUrl] }], { timeoutMs: 10_000, clock: systemClock })

async function serve(applicationName: string, more: object): Promise<number> {
  const database = createDatabase({ url, poolSize: 20, applicationName, ...more })
  const log = createLog({ level: 'silent' })
  const app = createApp({ log, clock: systemClock, random: systemRandom, database, chains })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.addresses()[0] as { port: number }).port
}

const ports = { primary: await serve('bench primary', {}), standby: await serve('bench standby', { readUrl }) }
process.stdout.write(`${JSON.stringify(ports)}\n`)
