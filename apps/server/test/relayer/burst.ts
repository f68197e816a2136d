import { createApp } from '../../src/app.ts'
import { connectChains } from '../../src/platform/chain/chains.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createDatabase } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { createRelayerService } from '../../src/relayer/index.ts'
import { BUSY_MACHINE } from '../busy-machine.ts'
import { relayRoute } from './relay-route.ts'

export interface BurstRequest {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly apiKey: string
  readonly notary: `0x${string}`
  readonly ids: readonly string[]
}

/** A process of the product that is asked for many relays at once, and is killed in the middle of it. */
async function burst({ databaseUrl, rpcUrl, apiKey, notary, ids }: BurstRequest): Promise<void> {
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 8,
    applicationName: 'tally-burst',
    ...BUSY_MACHINE.database,
  })
  const chains = await connectChains([{ chainId: undefined, urls: [rpcUrl] }], {
    timeoutMs: BUSY_MACHINE.rpcTimeoutMs,
    clock: systemClock,
  })
  const parts = { log: createLog({ level: 'silent' }), clock: systemClock, random: systemRandom, database, chains }
  const service = createRelayerService({ ...parts, keys: {} })
  const app = createApp({ ...parts, extraRoutes: [relayRoute(() => service, notary)] })
  await app.ready()
  process.stdout.write('ready\n')
  await Promise.all(
    ids.map(async (id) => {
      const headers = { 'x-api-key': apiKey, 'idempotency-key': `burst-${id}` }
      const { statusCode } = await app.inject({ method: 'POST', url: '/test/api/relay', headers, payload: { id } })
      process.stdout.write(`answered ${statusCode} ${id}\n`)
    }),
  )
  process.stdout.write('all answered\n')
  // It does not end by itself: whoever kills it may come late.
  setInterval(() => {}, 1_000)
}

await burst(JSON.parse(process.env.BURST ?? '') as BurstRequest)
