import { createInterface } from 'node:readline'
import { createApp } from '../../../apps/server/src/app.ts'
import { connectChains } from '../../../apps/server/src/platform/chain/chains.ts'
import { systemClock } from '../../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../../apps/server/src/platform/db/database.ts'
import { createLog } from '../../../apps/server/src/platform/log.ts'
import { systemRandom } from '../../../apps/server/src/platform/random.ts'

/**
 * One API server that tells what its listeners cost: each commit with its time, as a line of its own, and its memory whenever it is asked.
 * `connections` and `perKey` are what MAX_CONNECTIONS and STREAMS_PER_KEY would set. Serves until it is killed.
 */
const [databaseUrl = '', rpcUrl = '', connections = '5000', perKey = '100'] = process.argv.slice(2)
const say = (word: object) => void process.stdout.write(`${JSON.stringify(word)}\n`)

const chains = await connectChains([{ chainId: undefined, urls: [rpcUrl] }], { timeoutMs: 10_000, clock: systemClock })
const opened = createDatabase({ url: databaseUrl, poolSize: 20, applicationName: 'tally-bench' })
const { signals } = opened
const database: typeof opened = {
  ...opened,
  signals: {
    ...signals,
    // Said after a commit, and never before: the moment from which listeners wait.
    send(channel, word) {
      signals.send(channel, word)
      if (channel === 'tally_units') say({ commit: process.hrtime.bigint().toString() })
    },
  },
}
const parts = { log: createLog({ level: 'silent' }), clock: systemClock, random: systemRandom, database, chains }
const app = createApp({
  ...parts,
  clients: { connections: Number(connections) },
  streamSettings: { perKey: Number(perKey) },
})
await app.listen({ host: '127.0.0.1', port: 0 })
say({ port: (app.addresses()[0] as { port: number }).port })

createInterface({ input: process.stdin }).on('line', () => {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  say({ rss, heapUsed, cpuMs: (user + system) / 1000 })
})
