import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createImplementations } from '../../../test/lending/implementations.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'

describe('upgrades on a chain that cannot be read', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    market = await createMarketLife(world).adopted()
    const implementations = createImplementations(world)
    for (const kind of ['market', 'rateModel', 'insuranceFund'] as const)
      await implementations.serve(kind, await implementations.nextOf(kind))
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })
  afterEach(() => {
    proxy.replaceAnswer = undefined
    proxy.replaceResponse = undefined
  })

  const upgrade = async (body: object) => {
    const answer = await world.deployer.post(`${V2}/markets/${market.marketId}/upgrade`, body)
    return [answer.status, answer.body.error?.code, answer.headers['retry-after']]
  }
  const status = () => world.deployer.get(`${V2}/markets/${market.marketId}/upgrade`)

  it.each([
    ['market', 'MARKET_STATE_UNAVAILABLE'],
    ['rateModel', 'MODEL_STATE_UNAVAILABLE'],
    ['insuranceFund', 'FUND_STATE_UNAVAILABLE'],
  ] as const)('are not built for %s when the node does not tell what it runs', async (target, code) => {
    proxy.replaceAnswer = ({ method }) =>
      method === 'eth_getStorageAt' ? { error: { code: -32000, message: 'missing trie node' } } : undefined
    expect(await upgrade({ target })).toEqual([503, code, '1'])
    const { data } = must(await status()).body
    expect(data[target]).toMatchObject({ readable: false, currentImplementation: null, upgradeAvailable: null })
  })

  it('are not built when the market does not tell its positions', async () => {
    const code = await world.node.publicClient.getCode({ address: market.marketAddress })
    await world.node.testClient.setCode({ address: market.marketAddress, bytecode: '0x' })
    expect(await upgrade({})).toEqual([503, 'MARKET_STATE_UNAVAILABLE', '1'])
    expect(must(await status()).body.data).toMatchObject({ feeModel: null, feeShareGeneration: null })
    await world.node.testClient.setCode({ address: market.marketAddress, bytecode: code ?? '0x' })
  })

  it('are neither built nor confirmed nor shown when no node answers', async () => {
    proxy.replaceResponse = { status: 500, body: 'down' }
    expect(await upgrade({})).toEqual([503, 'FACTORY_UNREADABLE', '1'])
    expect(await upgrade({ txHash: `0x${'1'.repeat(64)}` })).toEqual([503, 'CHAIN_UNAVAILABLE', '1'])
    const answer = await status()
    expect([answer.status, answer.body.error.code]).toEqual([503, 'MARKET_STATE_UNAVAILABLE'])
  })

  it('cost one round trip to look at', async () => {
    proxy.requests.length = 0
    must(await status())
    expect(proxy.requests).toHaveLength(1)
  })

  it('cannot be looked at where no factory is on record', async () => {
    await world.superuser`delete from deployed_contracts`
    const answer = await status()
    expect([answer.status, answer.body.error.code]).toEqual([503, 'LENDING_NOT_CONFIGURED'])
  })
})
