import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import type { TestAnswer } from '../../../test/world.ts'
import { abis } from '../contracts.ts'

describe('reading an oracle', () => {
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket
  const signer = wallet(5)

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    market = await life.adopted({}, { terms: { priceSigner: signer.address } })
  })
  afterAll(() => world.close())

  const get = (name: string, prefix = V2) => world.deployer.get(`${prefix}/markets/${market.marketId}/${name}`)
  /** In a second of its own: the oracle takes only what is newer. */
  const push = async (price: bigint) => {
    await life.travel(1)
    return life.call(market.oracle, abis.oracle, 'updatePrice', [price], signer)
  }
  const own = () => world.deployer.wallet.address.toLowerCase()

  it('says what the oracle holds, how old it is, and who may sign', async () => {
    // The record has not come to the adoption yet: the declared signer is not known.
    const early = must(await get('oracle-status')).body
    expect(early.data).toMatchObject({ configured: true, priceSigner: null, priceSignerAuthorized: null })
    await world.follow()
    await life.travel(100)
    const { data, metadata } = must(await get('oracle-status')).body
    expect(data).toEqual({
      configured: true,
      oracleAddress: market.oracle,
      price: '100',
      priceRaw: '100000000',
      timestamp: data.timestamp,
      lastUpdate: new Date(data.timestamp * 1000).toISOString(),
      isStale: false,
      priceAge: metadata.chainTime - data.timestamp,
      maxPriceAge: 86_400,
      maxDeviationBps: 5000,
      owner: own(),
      ownerIsInstanceWallet: true,
      signerAddress: own(),
      signerAuthorized: true,
      priceSigner: signer.address.toLowerCase(),
      priceSignerAuthorized: true,
    })
    expect(data.priceAge).toBeGreaterThanOrEqual(100)
  })

  it('says whether the wallet that would sign may, and who that is', async () => {
    expect(must(await get('verify-signer')).body.data).toEqual({
      signerAddress: signer.address.toLowerCase(),
      oracleAddress: market.oracle,
      isAuthorized: true,
    })
    await life.call(market.oracle, abis.oracle, 'setAuthorizedSigner', [signer.address, false])
    expect(must(await get('verify-signer')).body.data.isAuthorized).toBe(false)
    expect(must(await get('oracle-status')).body.data).toMatchObject({ priceSignerAuthorized: false })
    await life.call(market.oracle, abis.oracle, 'setAuthorizedSigner', [signer.address, true])
  })

  it('lists what was pushed, newest first, page by page without a gap', async () => {
    for (const whole of [101n, 102n, 103n, 104n, 105n]) await push(whole * 1_000_000n)
    await world.follow()
    const { data } = must(await get('oracle-history?limit=2')).body
    expect(data).toMatchObject({ signed: [], signedTotal: 0, pushedTotal: 6, limit: 2, offset: 0 })
    expect(data.settlementSymbol).toBe('USDX')
    expect(data.syncedBlock).toBe((await world.node.publicClient.getBlockNumber()).toString())
    expect(data.pushed[0]).toMatchObject({
      price: '105',
      priceWei: '105000000',
      previousPrice: '104',
      updater: signer.address.toLowerCase(),
    })
    const prices: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer: TestAnswer = await get(`oracle-history?limit=2${cursor && `&cursor=${cursor}`}`)
      const page = must(answer).body.data
      prices.push(...page.pushed.map(({ price }: { price: string }) => price))
      cursor = page.nextCursor
    }
    expect(prices).toEqual(['105', '104', '103', '102', '101', '100'])
    const last = must(await get('oracle-history?limit=1&offset=5')).body.data
    expect(last.pushed).toMatchObject([{ price: '100', previousPrice: null }])
    expect(last.nextCursor).toBeNull()
    for (const [asked, used] of [
      ['limit=0', 1],
      ['limit=-3', 1],
      ['limit=1000', 100],
      ['limit=x', 20],
      ['limit=1.5', 20],
      ['', 20],
    ] as const)
      expect([asked, must(await get(`oracle-history?${asked}`)).body.data.limit]).toEqual([asked, used])
    for (const wrong of ['x', Buffer.from('1 2 3 4').toString('base64url'), 'a'.repeat(500)]) {
      const answer = await get(`oracle-history?cursor=${wrong}`)
      expect([wrong, answer.status, answer.body.error?.code]).toEqual([wrong, 400, 'VALIDATION_ERROR'])
    }
  })

  it('gives a chart its prices in numbers, oldest first, under the prefix for stocks only for our own', async () => {
    const path = (prefix: string) => `${prefix}/positions/${market.marketId}/price-history`
    const { data } = must(await world.deployer.get(path(V2))).body
    expect(data).toMatchObject({ currentPrice: 105, symbol: 'NORD', marketId: market.marketId })
    expect(data.history.map(({ price }: { price: number }) => price)).toEqual([100, 101, 102, 103, 104, 105])
    const times = data.history.map(({ timestamp }: { timestamp: number }) => timestamp)
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
    expect(times[0] % 1000).toBe(0)
    const status = must(await get('oracle-status')).body.data
    expect(times.at(-1)).toBe(status.timestamp * 1000)

    // What the record has not come to yet, the live price shows.
    await push(105_500_000n)
    const ahead = must(await world.deployer.get(path(V2))).body.data
    expect([ahead.currentPrice, ahead.history.length]).toEqual([105.5, 6])

    const draft = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' })))
    const undeployed = await world.deployer.get(`${V2}/positions/${draft.body.data.marketId}/price-history`)
    expect([undeployed.status, undeployed.body.error.code]).toEqual([404, 'MARKET_NOT_FOUND'])
    const hidden = await world.deployer.get(path('/lending-stocks/api'))
    expect([hidden.status, hidden.body.error.code]).toEqual([404, 'MARKET_NOT_FOUND'])
    await world.superuser`update lending_markets set is_own_stock = true where market_address = ${market.marketAddress}`
    expect(must(await world.deployer.get(path('/lending-stocks/api'))).body.data.currentPrice).toBe(105.5)
  })

  it('shows the newest thousand prices of a long history', async () => {
    await world.superuser`
      insert into chain_logs select chain_id, '0x' || lpad(to_hex(n), 64, '0'), 0, 0, address, topics, data, 1000000 + n, block_hash, block_time + n, tx_from, finality
      from (select l.* from chain_logs l join chain_facts using (chain_id, tx_hash, log_index) where subject = ${market.oracle} and operation = 'oracle.PriceUpdated' limit 1) l, generate_series(1, 1100) n`
    await world.superuser`
      insert into chain_facts select gen_random_uuid(), chain_id, tx_hash, 0, address, 'oracle.PriceUpdated',
        jsonb_build_object('newPrice', (block_number::bigint * 1000)::text, 'previousPrice', '1', 'timestamp', block_time::text, 'updater', tx_from)
      from chain_logs where block_number > 1000000`
    const { history } = must(await world.deployer.get(`${V2}/positions/${market.marketId}/price-history`)).body.data
    expect(history).toHaveLength(1000)
    expect([history[0].price, history.at(-1).price]).toEqual([1000.101, 1001.1])
  })

  it('says when a price went stale', async () => {
    await life.travel(86_401)
    expect(must(await get('oracle-status')).body.data.isStale).toBe(true)
  })
})
