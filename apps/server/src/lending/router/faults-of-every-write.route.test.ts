import { demoCashAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import { encodeFunctionData, formatUnits, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRouterLife, HASH, type RouterLife, refusal, type Seizure } from '../../../test/lending/router-life.ts'
import { V1 } from '../../../test/lending/setup-helpers.ts'
import { abis } from '../contracts.ts'

/** path, a body that builds, the code of a failed transaction, the code of a missing role, what is called */
const writes = [
  ['withdraw-collateral', { amount: '1' }, 'WITHDRAW_TX_REVERTED', 'ROUTER_OPERATOR_ROLE_MISSING', 'router'],
  [
    'report-partial-sale',
    { collateralSold: '1', usdcProceeds: '1' },
    'PARTIAL_SALE_TX_REVERTED',
    'ROUTER_OPERATOR_ROLE_MISSING',
    'router',
  ],
  ['settle', { usdcProceeds: '1' }, 'SETTLE_TX_REVERTED', 'ROUTER_OPERATOR_ROLE_MISSING', 'router'],
  ['sell', {}, 'SELL_PENDING_FAILED', 'ROUTER_OPERATOR_ROLE_MISSING', 'router'],
  ['close', {}, 'CLOSE_TX_REVERTED', 'ROUTER_ADMIN_ROLE_MISSING', 'router'],
  ['reopen', {}, 'REOPEN_TX_REVERTED', 'ROUTER_ADMIN_ROLE_MISSING', 'router'],
  ['handle-timeout', {}, 'TIMEOUT_TX_REVERTED', 'MARKET_ADMIN_ROLE_MISSING', 'market'],
  ['countersign', {}, 'COUNTERSIGN_TX_REVERTED', 'MARKET_ADMIN_ROLE_MISSING', 'market'],
] as const

describe('every write about a liquidation', () => {
  let world: ProxiedWorld
  let life: RouterLife
  let market: LiveMarket
  let other: LiveMarket
  let seizure: Seizure
  let elsewhere: Seizure
  let settled: Seizure
  let settleTx: Hex
  let draftId: string
  let onVenue: Seizure
  let failedTx: Hex

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    market = await life.earning({}, 500_000)
    other = await life.earning({ mode: 'CUSTODY' }, 500_000)
    seizure = await life.seized(market)
    elsewhere = await life.seized(other, { mode: 'CUSTODY' })
    settled = await life.seized(market, { borrower: wallet(4) })
    await life.takeOut(market, settled.id)
    await life.giveCash(world.deployer.wallet, market.router, units(40_000, 6))
    const args = [settled.id, units(40_000, 6)]
    settleTx = (await life.amply(market.router, abis.router, 'settleLiquidation', args)).transactionHash
    const draft = must(
      await world.deployer.post(
        `${V2}/markets/deploy`,
        world.deployBody({ borrowAssetAddress: await world.createCash('DRFT') }),
      ),
    )
    draftId = draft.body.data.marketId
    await life.auctions(other)
    onVenue = await life.seized(other, { mode: 'CUSTODY', borrower: wallet(4) })
    failedTx = await world.node.walletClient.sendTransaction({
      account: wallet(8),
      to: market.router,
      data: encodeFunctionData({ abi: abis.router, functionName: 'sellPending', args: [1n] }),
      gas: 300_000n,
    })
    await world.node.publicClient.waitForTransactionReceipt({ hash: failedTx })
  })
  afterAll(() => world.close())

  const legs = (body: Record<string, unknown>) => [body, { ...body, txHash: HASH }]
  const inMarket = (body: Record<string, unknown>) => ({ ...body, marketId: market.marketId })
  const amountOf = async (one: LiveMarket) => formatUnits((await life.liquidation(one, 1n)).collateralAmount, 18)

  it.each(writes)('%s finds it on any router of the instance, and asks when there are several', async (path, body) => {
    expect([seizure.id, elsewhere.id]).toEqual([1n, 1n])
    const candidates = await Promise.all(
      [market, other].map(async (one) => ({
        marketId: one.marketId,
        marketAddress: one.marketAddress,
        status: 'PENDING',
        collateralAmount: await amountOf(one),
      })),
    )
    for (const leg of legs(body)) {
      expect(refusal(await life.on(path, 1n, leg), 400, 'AMBIGUOUS_LIQUIDATION_ID').candidates).toEqual(candidates)
      for (const id of ['99', '0', '01', 'abc', '-1', '281474976710656', 'venue-99'])
        refusal(await life.on(path, id, leg), 404, 'LIQUIDATION_NOT_FOUND')
      refusal(await life.on(path, settled.id, { ...leg, marketId: other.marketId }), 404, 'LIQUIDATION_NOT_FOUND')
      refusal(await life.on(path, 1n, leg, world.outsider), 404, 'LIQUIDATION_NOT_FOUND')
      refusal(await life.on(path, 1n, { ...leg, marketId: 'no-such-market' }), 404, 'MARKET_NOT_FOUND')
      refusal(await life.on(path, 1n, inMarket(leg), world.outsider), 404, 'MARKET_NOT_FOUND')
      refusal(await life.on(path, 1n, { ...leg, marketId: draftId }), 400, 'ROUTER_NOT_CONFIGURED')
    }
  })

  it.each(writes)('%s refuses what is not of its form', async (path, body) => {
    for (const leg of legs(body)) {
      for (const id of ['', 'a'.repeat(101)]) refusal(await life.on(path, id, leg), 400, 'MISSING_ID')
      refusal(await life.on(path, 1n, { ...leg, marketId: 'a'.repeat(101) }), 400, 'VALIDATION_ERROR')
      refusal(await life.on(path, 1n, { ...leg, unheardOf: 1 }), 400, 'VALIDATION_ERROR')
      const both = path === 'sell' ? 'liquidation/1/sell' : `${path}/1`
      const twice = await world.deployer.post(`${V1}/liquidations/${both}?marketId=${other.marketId}`, inMarket(leg))
      expect(refusal(twice, 400, 'VALIDATION_ERROR').details).toEqual([
        { field: 'marketId', message: 'differs between body and query' },
      ])
    }
    refusal(await life.on(path, 1n, inMarket({ ...body, txHash: '0x12' })), 400, 'VALIDATION_ERROR')
  })

  it.each(writes)('%s takes no number of the venue for one of the router', async (path, body, _reverted, _role, on) => {
    for (const leg of legs(body)) {
      const answer = await life.on(path, `venue-${onVenue.realizationId}`, leg)
      if (on === 'router') refusal(answer, 409, 'LIQUIDATION_ON_VENUE')
      else expect(answer.body.error?.code).not.toBe('LIQUIDATION_ON_VENUE')
    }
  })

  it.each(writes)('%s needs a wallet that holds the role', async (path, body, _reverted, missing) => {
    const build = () => life.on(path, 1n, inMarket(body))
    refusal(await life.withWallet(null, build), 400, 'WALLET_NOT_CONFIGURED')
    const stranger = wallet(7).address
    const error = refusal(await life.withWallet(stranger, build), 400, missing)
    const calldata = {
      to: market.router,
      data: encodeFunctionData({
        abi: abis.router,
        functionName: 'grantRole',
        args: [keccak256(toHex('OPERATOR_ROLE')), stranger],
      }),
      description: expect.stringContaining(stranger.toLowerCase()),
    }
    expect(error.calldata).toEqual(missing === 'ROUTER_OPERATOR_ROLE_MISSING' ? calldata : undefined)
  })

  it.each(writes.filter(([path]) => path !== 'reopen'))('%s refuses what is settled', async (path, body) => {
    const error = refusal(await life.on(path, settled.id, inMarket(body)), 400, 'ALREADY_SETTLED')
    expect(error.message).toContain('settled')
  })

  it.each(writes)('%s says when the chain does not answer', async (path, body) => {
    const [build, confirm] = legs(inMarket(body))
    const lost = await world.withoutNode(() => life.on(path, 1n, build))
    refusal(lost, 503, 'ROUTER_UNREADABLE')
    expect(lost.headers['retry-after']).toBe('1')
    refusal(await world.withoutNode(() => life.on(path, 1n, confirm)), 503, 'CHAIN_UNAVAILABLE')
    for (const leg of [build, confirm, body])
      refusal(await world.withBroken(market.router, () => life.on(path, 1n, leg)), 503, 'ROUTER_UNREADABLE')
  })

  it.each(writes)('%s confirms nothing that did not happen', async (path, body, reverted, _role, on) => {
    const confirm = (txHash: Hex) => life.on(path, 1n, inMarket({ ...body, txHash }))
    refusal(await confirm(`0x${'0'.repeat(63)}1`), 404, 'TX_NOT_FOUND')
    const away = await life.call(world.cash, demoCashAbi, 'approve', [market.router, 1n])
    refusal(await confirm(away.transactionHash), 400, 'TX_WRONG_TARGET')
    expect(refusal(await confirm(failedTx), 400, reverted).txHash).toBe(failedTx)
    const another =
      on === 'router'
        ? await life.call(market.router, abis.router, 'setAtomicMode', [false])
        : await life.call(market.marketAddress, abis.market, 'pokeSnapshot', [])
    refusal(await confirm(another.transactionHash), 400, 'TX_WRONG_FUNCTION')
    // The seizure touches the router, the settlement the market: neither is what was asked.
    refusal(await confirm(on === 'router' ? seizure.txHash : settleTx), 400, 'TX_NOT_VERIFIED')
  })

  it('a settlement of one liquidation does not confirm that of another', async () => {
    refusal(await life.on('settle', 1n, inMarket({ txHash: settleTx })), 400, 'TX_NOT_VERIFIED')
    const confirmed = must(await life.on('settle', settled.id, { txHash: settleTx })).body.data
    expect(confirmed).toMatchObject({ liquidationId: '2', marketId: market.marketId, finalLegProceeds: '40000' })
  })

  it('the decisions of the market admin take what a venue holds', async () => {
    const built = must(await life.on('countersign', `venue-${onVenue.realizationId}`)).body.data
    expect(built).toMatchObject({
      liquidationId: `venue-${onVenue.realizationId}`,
      marketLiquidationId: onVenue.realizationId.toString(),
      marketId: other.marketId,
      transaction: { to: other.marketAddress },
      simulation: { success: true },
    })
  })
})
