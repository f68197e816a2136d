import fastify from 'fastify'
import postgres from 'postgres'
import { createPublicClient, http } from 'viem'
import { createApp } from '../../apps/server/src/app.ts'
import type { Chain } from '../../apps/server/src/platform/chain/chain.ts'
import { connectChains } from '../../apps/server/src/platform/chain/chains.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../apps/server/src/platform/db/database.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { questionToken } from '../../apps/server/src/tokens/detection.reads.ts'
import { serveRivals } from './lending-rivals.ts'
import { PATIENCE } from './measure.ts'

/**
 * The product and its plainest rivals in one process: the same framework, the same database driver, the same select, the same
 * chain read, with nothing around them. Prints the ports and serves until it is killed.
 */
const [databaseUrl = '', rpcUrl = '', instanceId = '', token = ''] = process.argv.slice(2)

const chains = await connectChains([{ chainId: undefined, urls: [rpcUrl] }], {
  timeoutMs: PATIENCE * 1000,
  clock: systemClock,
})
const database = createDatabase({ url: databaseUrl, poolSize: 20, applicationName: 'tally-bench' })
const parts = { log: createLog({ level: 'silent' }), clock: systemClock, random: systemRandom, database, chains }
const product = createApp(parts)

const bare = fastify({ logger: false })
// The operator sees all rows, so the bare route's own `where` is all that selects.
const sql = postgres(databaseUrl, { max: 20, connection: { role: 'tally_operator' } })
bare.get(
  '/list',
  async () => sql`
  select token_address as "tokenAddress", name, symbol, decimals, framework, total_supply_raw as "totalSupply", facts as metadata,
         asset_type as "assetType", image_uri as "imageURI", imported_at as "importedAt", instance_id as "instanceId"
  from token_imports where instance_id = ${instanceId} and status = 'ACTIVE' order by imported_at desc, import_id desc limit 200`,
)

const [chain] = chains.all
if (!chain) throw new Error('no chain')
serveRivals(bare, parts, chain, rpcUrl)
bare.post('/chain', async () => {
  const { block, answers } = await questionToken(chain, token as `0x${string}`)
  return {
    block: block.number.toString(),
    outcomes: Object.entries(answers).map(([call, { outcome }]) => [call, outcome]),
  }
})

// The same read the way viem does it by default: its own HTTP transport, one request for the block and one for the call.
const viem = createPublicClient({ transport: http(rpcUrl) })
const asViem = {
  chainId: chain.chainId,
  callAtOneBlock: async <T>(call: { data: `0x${string}` }, decode: (returned: `0x${string}`) => { value: T }) => {
    const [block, { data }] = await Promise.all([viem.getBlock(), viem.call(call)])
    return { block, value: decode(data ?? '0x').value }
  },
} as unknown as Chain
bare.post('/viem', async () => {
  const { block, answers } = await questionToken(asViem, token as `0x${string}`)
  return {
    block: block.number.toString(),
    outcomes: Object.entries(answers).map(([call, { outcome }]) => [call, outcome]),
  }
})

await product.listen({ host: '127.0.0.1', port: 0 })
await bare.listen({ host: '127.0.0.1', port: 0 })
const portOf = (app: typeof bare) => (app.addresses()[0] as { port: number }).port
process.stdout.write(`${JSON.stringify({ product: portOf(product as unknown as typeof bare), bare: portOf(bare) })}\n`)
