import { createApp } from '../../../apps/server/src/app.ts'
import { connectChains } from '../../../apps/server/src/platform/chain/chains.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { createLog } from '../../../apps/server/src/platform/log.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'

/** One API server of several; with a secret it passes orders on, and takes those of others; with the address of an order server it matches none itself. Says when it listens, and serves until it is killed. */
const [databaseUrl = '', rpcUrl = '', port = '0', secret, orderServer] = process.argv.slice(2)
const chains = await connectChains([{ chainId: undefined, urls: [rpcUrl] }], { timeoutMs: 10_000, clock: systemClock })
const database = createDatabase({ url: databaseUrl, poolSize: 20, applicationName: 'tally-bench' })
const parts = { log: createLog({ level: 'silent' }), clock: systemClock, random: systemRandom, database, chains }
const trading = orderServer ? { orderServers: [orderServer] } : { peerUrl: `http://127.0.0.1:${port}` }
const peers = secret ? { peerSecret: secret, trading } : {}
await createApp({ ...parts, ...peers }).listen({ host: '127.0.0.1', port: Number(port) })
process.stdout.write('listening\n')
