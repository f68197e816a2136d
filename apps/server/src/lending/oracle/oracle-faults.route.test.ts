import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CutWorld, createCutWorld } from '../../../test/lending/cut-world.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket } from '../../../test/lending/market-life.ts'

const signed = { price: '100000000', timestamp: 1, validUntil: 2, signature: `0x${'1b'.repeat(65)}` }

describe('an oracle on a chain that fails', () => {
  let world: CutWorld
  let market: LiveMarket

  beforeAll(async () => {
    world = await createCutWorld()
    market = await createMarketLife(world).adopted()
    await world.follow()
  })
  afterAll(() => world.close())

  const route = (name: string) => `${V2}/markets/${market.marketId}/${name}`
  const prices = () => `${V2}/positions/${market.marketId}/price-history`

  it('costs every read one round trip', async () => {
    for (const path of [route('oracle-status'), route('verify-signer'), prices()]) {
      world.counted.reset()
      must(await world.deployer.get(path))
      expect([path, world.counted.counts.roundTrips]).toEqual([path, 1])
    }
    world.counted.reset()
    must(await world.deployer.get(route('oracle-history')))
    expect(world.counted.counts.roundTrips).toBe(0)
    for (const [name, body] of [
      ['sign-price', { price: '100' }],
      ['verify-price', signed],
    ] as const) {
      world.counted.reset()
      must(await world.deployer.post(route(name), body))
      expect([name, world.counted.counts.roundTrips]).toEqual([name, 1])
    }
  })

  it('never makes a figure up, and refuses what needs the chain', async () => {
    const other = `0x${'7'.repeat(64)}`
    await world.cut.cut()
    try {
      const status = must(await world.deployer.get(route('oracle-status'))).body.data
      expect(status).toMatchObject({
        configured: false,
        readFailed: true,
        oracleAddress: market.oracle,
        price: null,
        priceRaw: null,
        isStale: null,
        priceAge: null,
        owner: null,
        signerAuthorized: null,
      })
      expect(must(await world.deployer.get(route('verify-signer'))).body.data.isAuthorized).toBeNull()
      const verified = must(await world.deployer.post(route('verify-price'), signed)).body.data
      expect(verified).toMatchObject({ valid: null, signer: null })
      must(await world.deployer.get(route('oracle-history')))

      const refused = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
        const answer = await world.deployer.call(method, path, body === undefined ? {} : { body })
        return [answer.status, answer.body.error?.code, answer.headers['retry-after']]
      }
      const unreachable = [503, 'ORACLE_UNREACHABLE', '1']
      expect(await refused('POST', route('sync-oracle'), { price: '100' })).toEqual(unreachable)
      expect(await refused('POST', route('sign-price'), { price: '100' })).toEqual(unreachable)
      expect(await refused('POST', route('price-attestation'), signed)).toEqual(unreachable)
      const confirm = { price: '100', txHash: other }
      expect(await refused('POST', route('sync-oracle'), confirm)).toEqual([503, 'CHAIN_UNAVAILABLE', '1'])
      expect(await refused('GET', prices())).toEqual([503, 'PRICE_HISTORY_UNAVAILABLE', '1'])
    } finally {
      await world.cut.restore()
    }
  })
})

describe('an oracle that does not answer as one', () => {
  let world: LendingWorld
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld()
    market = await createMarketLife(world).adopted()
    // As if the node had lost the contract.
    await world.node.testClient.setCode({ address: market.oracle, bytecode: '0x60006000fd' })
  })
  afterAll(() => world.close())

  it('is unreachable, not worth nothing', async () => {
    const route = (name: string) => `${V2}/markets/${market.marketId}/${name}`
    const code = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
      (await world.deployer.call(method, path, body === undefined ? {} : { body })).body.error?.code
    expect(must(await world.deployer.get(route('oracle-status'))).body.data).toMatchObject({
      configured: false,
      readFailed: true,
      price: null,
    })
    expect(must(await world.deployer.get(route('verify-signer'))).body.data.isAuthorized).toBeNull()
    expect(await code('POST', route('sync-oracle'), { price: '100' })).toBe('ORACLE_UNREACHABLE')
    expect(await code('POST', route('sign-price'), { price: '100' })).toBe('ORACLE_UNREACHABLE')
    expect(await code('POST', route('price-attestation'), signed)).toBe('ORACLE_UNREACHABLE')
    expect(must(await world.deployer.post(route('verify-price'), signed)).body.data.valid).toBeNull()
    expect(await code('GET', `${V2}/positions/${market.marketId}/price-history`)).toBe('PRICE_HISTORY_UNAVAILABLE')
  })
})
