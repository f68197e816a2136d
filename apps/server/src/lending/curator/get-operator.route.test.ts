import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuratorSteps } from '../../../test/lending/curator-steps.ts'
import { createImplementations } from '../../../test/lending/implementations.ts'
import { must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'
import { abis } from '../contracts.ts'

describe('the operator of a market and its handover', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let steps: ReturnType<typeof createCuratorSteps>
  let market: LiveMarket
  let own: string

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    steps = createCuratorSteps(world)
    own = world.deployer.wallet.address.toLowerCase()
    market = await life.adopted()
    await life.admit(market, [wallet(5).address])
    await life.fund(market, 50_000)
  })
  afterAll(() => world.close())

  const get = async (path: string, marketId = market.marketId, party: Party = world.deployer) =>
    must(await party.get(`${V2}/markets/${marketId}/${path}`)).body.data

  it('shows who operates, what was done, and what is owed to whom', async () => {
    const borrower = wallet(5)
    const loanId = await life.openLoan(market, borrower, { collateral: 1_000, amount: 20_000 })
    await life.travel(30 * 86_400)
    await life.repay(market, borrower, loanId, 100_000)
    await world.follow()
    const data = await get('operator')
    expect(data).toMatchObject({
      status: 'active',
      operator: { wallet: own, lenderOfRecord: own, isBank: false, verified: true, walletLabel: null },
      marketFees: {
        readFailed: false,
        asset: { address: world.cash, symbol: 'USDX', decimals: 6 },
        operator: { shareBps: 800, fixedShare: true, recipient: own, sweepable: true },
        distributor: { shareBps: 500, registeredVaults: [] },
        protocol: { payable: '0', sweepable: false, destination: market.fund },
        infrastructure: { sweepable: true, destination: wallet(9).address.toLowerCase() },
      },
    })
    expect(data.operator.instanceName).toMatch(/^test /)
    expect(data.operator.acceptTxHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(data.actions.map(({ txType, amount }: { txType: string; amount: string }) => [txType, amount])).toEqual([
      ['SUPPLY', '50000'],
      ['CURATOR_ACCEPTED', '0'],
    ])
    expect(data.actions[1]).toMatchObject({ userAddress: own, txHash: data.operator.acceptTxHash })
    await life.call(market.marketAddress, abis.market, 'sweepOperatorFees', [])
    await world.follow()
    const swept = await get('operator')
    expect(swept.actions[0]).toMatchObject({
      txType: 'OPERATOR_FEES_SWEPT',
      userAddress: own,
      amount: data.marketFees.operator.payable,
    })
    expect(swept.marketFees.operator).toMatchObject({ payable: '0', payableRaw: '0', sweepable: false })
  })

  it('says of the wallet of somebody else no more than the chain does', async () => {
    const { marketAddress, marketId } = await steps.seeking()
    await steps.verify(world.lender.wallet.address)
    await steps.adopt(world.lender, marketAddress)
    const lender = world.lender.wallet.address.toLowerCase()
    expect((await get('operator', marketId)).operator).toMatchObject({
      wallet: lender,
      isBank: null,
      verified: false,
      instanceName: null,
      acceptTxHash: expect.stringMatching(/^0x/),
    })
  })

  it('awaits one, and has none before the market is on chain', async () => {
    const { marketId } = await steps.seeking()
    expect(await get('operator', marketId)).toMatchObject({
      status: 'awaiting',
      operator: null,
      actions: [],
      marketFees: { readFailed: false },
    })
    const draft = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' }))).body
      .data
    expect(await get('operator', draft.marketId)).toEqual({
      status: 'none',
      operator: null,
      actions: [],
      marketFees: null,
    })
  })

  it('makes up no figure', async () => {
    const data = await world.withBroken(market.marketAddress, () => get('operator'))
    expect(data).toMatchObject({ status: 'active', operator: { wallet: own }, marketFees: { readFailed: true } })
    const ask = () => world.deployer.get(`${V2}/markets/${market.marketId}/operator`)
    expectRefusal(await world.withBroken(world.suite.factory, ask), 503, 'MARKET_STATE_UNAVAILABLE')
    expect(expectRefusal(await world.withoutNode(ask), 503, 'MARKET_STATE_UNAVAILABLE').headers['retry-after']).toBe(
      '1',
    )
  })

  it('costs one round trip, and so does the handover', async () => {
    expect(await world.roundTrips(() => get('operator'))).toBe(1)
    expect(await world.roundTrips(() => get('handover'))).toBe(1)
  })

  it('has been handed everything by the adoption, and what an owner gives on waits for its nominee', async () => {
    const complete = await get('handover')
    expect(complete).toMatchObject({
      readable: true,
      stage: 'COMPLETE',
      complete: true,
      surrendered: true,
      nothingPending: true,
      satellites: {
        oracle: { address: market.oracle, owner: own, pendingOwner: null, heldBy: 'owner', pending: false },
      },
      acceptOwnershipCalldata: [],
    })
    await life.call(market.rateModel, abis.rateModel, 'transferOwnership', [wallet(5).address], world.deployer.wallet)
    const pending = await get('handover')
    expect(pending).toMatchObject({
      stage: 'PENDING',
      complete: false,
      oraclePending: false,
      interestModelPending: true,
      insuranceFundPending: false,
      nothingPending: false,
    })
    const [call] = pending.acceptOwnershipCalldata
    expect(call).toMatchObject({
      key: 'acceptInterestModelOwnership',
      to: market.rateModel,
      signer: wallet(5).address.toLowerCase(),
    })
    await world.sendRaw(wallet(5), call)
    expect(await get('handover')).toMatchObject({
      stage: 'COMPLETE',
      satellites: { interestModel: { owner: wallet(5).address.toLowerCase() } },
    })
  })

  it('has not been started while the market seeks its lender', async () => {
    const { marketId } = await steps.seeking()
    expect(await get('handover', marketId)).toMatchObject({
      stage: 'NOT_STARTED',
      surrendered: false,
      nothingPending: true,
      satellites: { insuranceFund: { heldBy: 'market' } },
    })
  })

  it('waits for the nominees of a market whose adoption only nominates', async () => {
    const implementations = createImplementations(world)
    await implementations.serve('market', await implementations.create('NominatingMarket', 2n))
    const earlier = await life.adopted({ borrowAssetAddress: await world.createCash('NOMI') })
    await implementations.serveCurrent('market')
    expect(await get('handover', earlier.marketId)).toMatchObject({
      stage: 'PENDING',
      surrendered: false,
      oraclePending: false,
      interestModelPending: true,
      insuranceFundPending: true,
      acceptOwnershipCalldata: [{ signer: own }, { signer: own }],
    })
  })

  it('says when it cannot be read, in whole or in part', async () => {
    expect(await world.withoutNode(() => get('handover'))).toEqual({ readable: false })
    expect(await world.withBroken(market.oracle, () => get('handover'))).toMatchObject({
      readable: true,
      stage: 'UNKNOWN',
      complete: false,
      surrendered: null,
      satellites: { oracle: { owner: null, heldBy: null } },
    })
  })
})
