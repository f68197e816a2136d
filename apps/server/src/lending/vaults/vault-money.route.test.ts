import { demoCashAbi, demoIdentityRegistryAbi } from '@tallystick/abi'
import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, send, type Wallet, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, type Party, units, V2 } from '../../../test/lending/lending-world.ts'
import { createLiquidityLife, type LiquidityLife } from '../../../test/lending/liquidity-life.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { abis } from '../contracts.ts'

const HASH = `0x${'1'.repeat(64)}`
const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
const YEAR = 365 * 86_400
const FEES = ['distributor-fees/collect', 'distributor-fees/pay', 'operator-fees/pay'] as const

type Answered = Promise<{ status: number; body: { error: Record<string, unknown> } }>

describe('the money of a vault', () => {
  let world: ProxiedWorld
  let life: LiquidityLife
  let market: LiveMarket
  let vault: Address
  let owner: Address
  let loanId: bigint
  const [anna, bert, cleo] = [wallet(5), wallet(7), wallet(9)]
  const distributor = wallet(6).address.toLowerCase() as Address
  const lower = ({ address }: Wallet) => address.toLowerCase() as Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createLiquidityLife(world)
    market = await life.earning({}, 0)
    vault = await life.recordedVault([[market, 100_000]])
    owner = lower(world.deployer.wallet)
    await life.connect(market, vault)
    for (const holder of [anna, bert, cleo])
      await life.call(world.cash, demoCashAbi, 'mint', [holder.address, units(50_000, 6)])
    await world.follow()
  })
  afterAll(() => world.close())

  const path = (rest = '', address: string = vault) => `${V2}/vaults/${address}${rest}`
  const post = (rest: string, body: Record<string, unknown>, address?: string, party: Party = world.deployer) =>
    party.post(path(`/${rest}`, address), body)
  const deposit = (body: Record<string, unknown>) => post('deposit', body)
  const redeem = (body: Record<string, unknown>) => post('redeem', body)
  const shown = async (holder?: Address) =>
    must(await world.deployer.get(path(holder ? `?address=${holder}` : ''))).body.data
  const earnings = async (query = '') => must(await world.deployer.get(path(`/earnings${query}`))).body.data
  const ask = <T = bigint>(name: string, args: readonly unknown[] = []) => life.read<T>(vault, abis.vault, name, args)
  const cashOf = (account: Address) => life.read<bigint>(world.cash, abis.vault, 'balanceOf', [account])
  const text = (raw: bigint) => formatUnits(raw, 6)
  async function refused(sent: Answered, status: number, code: string) {
    const answer = await sent
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
    return answer.body.error as { message: string; details: Record<string, string> }
  }
  async function depositAs(holder: Wallet, amount: string, request: Record<string, unknown> = {}) {
    const { data } = must(await deposit({ amount, holderAddress: holder.address, ...request })).body
    const txHash = await life.signAll(holder, data.steps)
    return { data, confirmed: must(await post('confirm-tx', { txHash, txType: 'DEPOSIT' })).body.data }
  }

  it('comes from investors, whom the first named distributor keeps', async () => {
    expect((await shown()).onChain).toMatchObject({
      totalAssets: '0',
      sharePrice: '1',
      wipedOut: false,
      allocations: [{ marketAddress: market.marketAddress, marketId: market.marketId, value: '0', drawCap: '100000' }],
    })
    const first = await depositAs(anna, '30000.25', { distributor })
    expect(first.data).toMatchObject({
      action: 'SIGN_TRANSACTIONS',
      confirmStepIndex: 1,
      holder: lower(anna),
      preview: { shares: '30000.25', sharePrice: '1', shareOfVaultBps: 10_000, redeemableAt: expect.any(String) },
      simulation: { simulated: true, success: true },
      attribution: {
        binding: 'BINDS_NOW',
        requestedDistributor: distributor,
        distributor,
        creditsThisInstance: false,
      },
      confirmWith: { endpoint: path('/confirm-tx'), body: { txHash: null, txType: 'DEPOSIT' } },
    })
    expect(first.confirmed).toMatchObject({
      txType: 'DEPOSIT',
      holder: lower(anna),
      distributor,
      amount: '30000.25',
      shares: '30000.25',
    })
    expect(first.confirmed).not.toHaveProperty('verifiedBy')
    const { txHash } = first.confirmed
    expect(must(await post('confirm-tx', { txHash, txType: 'DEPOSIT' })).body.data).toEqual(first.confirmed)

    const own = await depositAs(bert, '20000', { distributor: owner })
    expect(own.data.attribution).toMatchObject({ binding: 'BINDS_NOW', creditsThisInstance: true })
    const free = await depositAs(cleo, '10000')
    expect(free.data.attribution).toMatchObject({ binding: 'UNATTRIBUTED', distributor: null })
    expect(free.confirmed.distributor).toBeNull()

    const attribution = async (body: Record<string, unknown>) =>
      must(await deposit({ amount: '1', ...body })).body.data.attribution
    expect(await attribution({ holderAddress: anna.address })).toMatchObject({ binding: 'ALREADY_BOUND', distributor })
    expect(await attribution({ holderAddress: anna.address, distributor })).toMatchObject({ binding: 'ALREADY_BOUND' })
    expect(await attribution({ holderAddress: anna.address, distributor: owner })).toMatchObject({
      binding: 'BOUND_ELSEWHERE',
      requestedDistributor: owner,
      distributor,
      creditsThisInstance: false,
    })
    const anybody = must(await deposit({ amount: '1', distributor })).body.data
    expect(anybody).toMatchObject({ holder: null, simulation: { simulated: false } })
    expect(anybody.attribution).toMatchObject({ binding: null, distributor: null, creditsThisInstance: null })
  })

  it('stays for three days', async () => {
    const [fresh, matureAt] = await ask<[bigint, bigint]>('freshSharesOf', [anna.address])
    expect(fresh).toBe(units(30_000.25, 6))
    const until = new Date(Number(matureAt) * 1000).toISOString()
    const { holder } = await shown(lower(anna))
    expect(holder).toMatchObject({ redeemableShares: '0', redeemableNow: '0', matureAt: until, value: '30000.25' })
    const early = await refused(redeem({ shares: '1', holderAddress: anna.address }), 409, 'SHARES_NOT_MATURE')
    expect(early.details).toEqual({ redeemable: '0', required: '1', matureAt: until })
  })

  it('is not taken from those who may not or cannot', async () => {
    for (const amount of ['0', '-1', '1.0000001', 'abc'])
      await refused(deposit({ amount, holderAddress: anna.address }), 400, 'VALIDATION_ERROR')
    await refused(deposit({ amount: '1', holderAddress: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    const short = await refused(deposit({ amount: '60000', holderAddress: anna.address }), 400, 'INSUFFICIENT_BALANCE')
    expect(short.details).toEqual({ payer: lower(anna), balance: '19999.75', required: '60000' })
    await life.call(vault, abis.vault, 'setDepositsPaused', [true])
    await refused(deposit({ amount: '1', holderAddress: anna.address }), 409, 'DEPOSITS_PAUSED')
    expect((await shown(lower(anna))).holder.depositRefusal).toBe('DEPOSITS_PAUSED')
    await life.call(vault, abis.vault, 'setDepositsPaused', [false])

    const { registry } = world.security
    await life.call(vault, abis.vault, 'setDepositorRegistry', [registry])
    // Nobody followed the change yet: the vault itself says whom to ask.
    await refused(deposit({ amount: '1', holderAddress: anna.address }), 403, 'DEPOSITOR_NOT_VERIFIED')
    expect((await shown(lower(anna))).holder.depositRefusal).toBe('DEPOSITOR_NOT_VERIFIED')
    await life.call(registry, demoIdentityRegistryAbi, 'registerIdentity', [anna.address, anna.address, 276])
    await world.follow()
    const verified = must(await deposit({ amount: '1', holderAddress: anna.address })).body.data
    expect(verified).toMatchObject({ depositorRegistry: registry, simulation: { success: true } })
    expect(await world.roundTrips(() => shown(lower(anna)))).toBe(1)
    await life.call(vault, abis.vault, 'setDepositorRegistry', [zeroAddress])
    await world.follow()
  })

  it('works in a market, and its fees are collected and paid to the unit', async () => {
    await life.travelFresh(market, 1)
    loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 45_000 })
    await life.travelFresh(market, YEAR)
    await refused(post('distributor-fees/collect', { marketAddress: market.marketAddress }), 409, 'NOTHING_ACCRUED')
    for (const [rest, body] of [
      ['distributor-fees/pay', {}],
      ['distributor-fees/pay', { distributor }],
      ['operator-fees/pay', {}],
    ] as const)
      await refused(post(rest, body), 409, 'NOTHING_ACCRUED')
    await life.repay(market, wallet(3), loanId, 9_000)
    await world.follow()

    const owed = await life.read<bigint>(market.marketAddress, abis.market, 'distributorFeesPayable', [vault])
    expect(owed).toBeGreaterThan(0n)
    const before = await earnings()
    const supply = await ask('totalSupply')
    const partOf = (shares: bigint) => (shares * ((owed * 10n ** 27n) / supply)) / 10n ** 27n
    expect(before.totals).toMatchObject({ collected: { raw: '0' }, uncollected: { raw: String(owed) } })
    expect(before.distributors).toMatchObject([
      {
        distributor: owner,
        own: true,
        boundHolders: 1,
        uncollectedEstimate: { raw: String(partOf(units(20_000, 6))) },
      },
      {
        distributor,
        own: false,
        attributedShares: '30000.25',
        uncollectedEstimate: { raw: String(partOf(units(30_000.25, 6))) },
      },
    ])

    const built = must(await post('distributor-fees/collect', { marketAddress: market.marketAddress }))
    expect(built.body.data).toMatchObject({
      functionName: 'collectDistributorFees',
      permissionless: true,
      recipient: vault,
      amountRaw: String(owed),
      simulation: { success: true },
      confirmWith: { body: { marketAddress: market.marketAddress, txHash: null } },
    })
    const txHash = await world.sign(wallet(4), built)
    const collected = must(await post('distributor-fees/collect', { txHash })).body.data
    expect(collected).toMatchObject({
      action: 'collect',
      signer: lower(wallet(4)),
      amountRaw: String(owed),
      events: ['COLLECTED'],
      marketAddress: market.marketAddress,
    })
    await refused(post('distributor-fees/collect', { marketAddress: vault, txHash }), 400, 'TX_NOT_VERIFIED')
    await refused(post('distributor-fees/collect', { marketAddress: vault }), 404, 'MARKET_NOT_KNOWN')
    await refused(post('distributor-fees/collect', {}), 400, 'VALIDATION_ERROR')
    await refused(post('distributor-fees/collect', { marketAddress: WRONG_CHECKSUM, txHash }), 400, 'VALIDATION_ERROR')

    const claims = await Promise.all([distributor, owner, zeroAddress].map((one) => ask('distributorFeesOf', [one])))
    const [ofDistributor = 0n, ofOwn = 0n, ofOperator = 0n] = claims
    expect(claims).toEqual([units(30_000.25, 6), units(20_000, 6), units(10_000, 6)].map(partOf))
    const [cashBefore, opBefore] = [await cashOf(distributor), await cashOf(owner)]
    const pay = must(await post('distributor-fees/pay', { distributor }))
    expect(pay.body.data).toMatchObject({ recipient: distributor, distributor, amountRaw: String(ofDistributor) })
    const paidHash = await world.sign(wallet(4), pay)
    expect(must(await post('distributor-fees/pay', { txHash: paidHash })).body.data).toMatchObject({
      action: 'pay',
      distributor,
      amountRaw: String(ofDistributor),
      events: ['PAID'],
    })
    await refused(post('distributor-fees/pay', { distributor: owner, txHash: paidHash }), 400, 'TX_NOT_VERIFIED')
    await refused(post('distributor-fees/pay', { distributor: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    await refused(post('distributor-fees/pay', { distributor: WRONG_CHECKSUM, txHash: HASH }), 400, 'VALIDATION_ERROR')
    expect((await cashOf(distributor)) - cashBefore).toBe(ofDistributor)

    // Without a name it is the wallet of the instance that is owed something.
    const ownPay = must(await post('distributor-fees/pay', {}))
    expect(ownPay.body.data).toMatchObject({ distributor: owner, amountRaw: String(ofOwn) })
    const operator = must(await post('operator-fees/pay', {}))
    expect(operator.body.data).toMatchObject({
      recipient: owner,
      amountRaw: String(ofOperator),
      functionName: 'payOperatorFees',
    })
    const operatorHash = await world.sign(wallet(4), operator)
    expect(must(await post('operator-fees/pay', { txHash: operatorHash })).body.data).toMatchObject({
      action: 'operator',
      recipient: owner,
      amountRaw: String(ofOperator),
      events: ['OPERATOR_PAID'],
    })
    expect((await cashOf(owner)) - opBefore).toBe(ofOperator)
    await refused(post('operator-fees/pay', { nonsense: 1 }), 400, 'VALIDATION_ERROR')
    await refused(post('operator-fees/pay', { txHash: '0x12' }), 400, 'VALIDATION_ERROR')

    await world.follow()
    expect(await world.roundTrips(() => earnings())).toBe(1)
    const after = await earnings()
    const amount = (raw: bigint) => ({ raw: String(raw), value: text(raw) })
    expect(after).toMatchObject({
      earned: amount(ofOwn),
      paid: amount(0n),
      claimable: amount(ofOwn),
      uncollectedEstimate: amount(0n),
      attributedShares: '20000',
      shareOfVaultBps: 3333,
      boundHolders: 1,
      wallets: [{ distributor: owner, own: true }],
      operator: {
        recipient: owner,
        own: true,
        earned: amount(ofOperator),
        paid: amount(ofOperator),
        attributedShares: '10000',
      },
      totals: {
        collected: amount(owed),
        paid: amount(ofDistributor + ofOperator),
        outstanding: amount(owed - ofDistributor - ofOperator),
        uncollected: amount(0n),
      },
      markets: [{ marketAddress: market.marketAddress, marketId: market.marketId, collected: amount(owed) }],
      payouts: [
        { kind: 'OPERATOR', recipient: owner, txHash: operatorHash },
        { kind: 'DISTRIBUTOR', recipient: distributor, txHash: paidHash },
      ],
      history: { complete: true },
    })
    expect(after.distributors[1]).toMatchObject({ distributor, earned: amount(ofDistributor), claimable: amount(0n) })
    const page = await earnings('?limit=1')
    expect(page).toMatchObject({ total: 2, hasMore: true, distributors: [{ distributor: owner }] })
    const next = await earnings(`?limit=1&cursor=${page.nextCursor}`)
    expect(next).toMatchObject({ total: 1, hasMore: false, nextCursor: null, distributors: [{ distributor }] })
    await refused(world.deployer.get(path('/earnings?cursor=abc')), 400, 'VALIDATION_ERROR')
  })

  it('is attributed to whom shares were transferred', async () => {
    await life.call(vault, abis.vault, 'transfer', [bert.address, units(250, 6)], anna)
    await world.follow()
    const { distributors } = await earnings()
    expect(distributors).toMatchObject([{ attributedShares: '20250' }, { attributedShares: '29750.25' }])
    await life.call(vault, abis.vault, 'transfer', [anna.address, units(250, 6)], bert)
  })

  it('is paid back as far as it is not lent out, and the rest stays as shares', async () => {
    await world.follow()
    const [totalAssets, idle, redeemable] = [
      await ask('totalAssets'),
      await ask('idleAssets'),
      await ask('redeemableNow'),
    ]
    const seen = must(await world.deployer.get(path(`?address=${anna.address}`))).body
    expect(seen.data.onChain).toMatchObject({
      totalAssets: text(totalAssets),
      idleAssets: text(idle),
      redeemableNow: text(redeemable),
      allocatedAssets: text(totalAssets - idle),
    })
    expect(seen.data.holder).toMatchObject({ shares: '30000.25', distributor, depositRefusal: null })
    expect(Number(seen.data.holder.value)).toBeGreaterThan(Number(seen.data.holder.redeemableNow))

    const built = must(await redeem({ shares: '30000.25', holderAddress: anna.address }))
    const { data } = built.body
    const { result } = await world.node.publicClient.simulateContract({
      address: vault,
      abi: abis.vault,
      functionName: 'redeem',
      args: [units(30_000.25, 6)],
      account: anna.address,
      blockNumber: BigInt(built.body.metadata.blockNumber),
    })
    expect(data).toMatchObject({
      functionName: 'redeem',
      willFillFully: false,
      expectedPayoutRaw: String(result),
      maxPayableNow: text(redeemable),
      simulation: { success: true },
      confirmWith: { body: { txType: 'REDEEM' } },
    })
    const txHash = await world.sign(anna, built)
    const confirmed = must(await post('confirm-tx', { txHash, txType: 'REDEEM' })).body.data
    expect(confirmed).toMatchObject({ txType: 'REDEEM', holder: lower(anna), distributor: null })
    expect(Math.abs(Number(confirmed.amount) - Number(data.expectedPayout))).toBeLessThan(0.01)
    expect(Math.abs(Number(confirmed.shares) - Number(data.expectedSharesBurned))).toBeLessThan(0.01)
    const left = await ask('balanceOf', [anna.address])
    expect(left).toBe(units(30_000.25, 6) - BigInt(Math.round(Number(confirmed.shares) * 1e6)))
    expect(left).toBeGreaterThan(0n)
    await refused(post('confirm-tx', { txHash, txType: 'DEPOSIT' }), 400, 'TX_WRONG_FUNCTION')
    await refused(redeem({ shares: text(left), holderAddress: anna.address }), 409, 'NOTHING_REDEEMABLE')
  })

  it('is paid back whole when loans are repaid, also through a Safe', async () => {
    await life.repay(market, wallet(3), loanId, 100_000)
    const left = await ask('balanceOf', [anna.address])
    const built = must(await redeem({ shares: text(left), holderAddress: anna.address }))
    expect(built.body.data).toMatchObject({ willFillFully: true, expectedSharesBurned: text(left) })
    const txHash = await world.sign(anna, built)
    expect(must(await post('confirm-tx', { txHash, txType: 'REDEEM' })).body.data).toMatchObject({
      shares: text(left),
      amount: built.body.data.expectedPayout,
    })
    expect(await ask('balanceOf', [anna.address])).toBe(0n)

    const safe = await deploySafe(world.node, [wallet(4)])
    await life.call(vault, abis.vault, 'transfer', [safe.address, units(100, 6)], cleo)
    const ofSafe = must(await redeem({ shares: '100', holderAddress: safe.address })).body.data
    const { receipt } = await safe.execThroughSafe(ofSafe.transaction)
    const confirmed = must(await post('confirm-tx', { txHash: receipt.transactionHash, txType: 'REDEEM' })).body.data
    expect(confirmed).toMatchObject({ verifiedBy: 'receipt-log', shares: '100', holder: safe.address.toLowerCase() })
  })

  it('is told over time: what a share was worth whenever somebody came or went', async () => {
    await world.follow()
    const history = async (query = '') => must(await world.deployer.get(path(`/history${query}`))).body.data
    const whole = await history()
    const points: {
      kind: string
      sharePrice: string
      totalShares: string
      earned: string
      amount: string
      blockNumber: string
    }[] = whole.points.toReversed()
    expect(points.map(({ kind }) => kind)).toEqual([...Array(3).fill('DEPOSIT'), ...Array(3).fill('REDEMPTION')])
    expect(points[0]).toMatchObject({ amount: '30000.25', totalShares: '30000.25', sharePrice: '1', earned: '0' })
    let deposited = 0
    for (const { kind, sharePrice, totalShares, earned, amount, blockNumber } of points) {
      const at = { address: vault, abi: abis.vault, blockNumber: BigInt(blockNumber) } as const
      const assets = Number(await world.node.publicClient.readContract({ ...at, functionName: 'totalAssets' })) / 1e6
      const supply = Number(await world.node.publicClient.readContract({ ...at, functionName: 'totalSupply' })) / 1e6
      deposited += kind === 'DEPOSIT' ? Number(amount) : -Number(amount)
      expect(Number(totalShares)).toBeCloseTo(supply, 6)
      expect(Number(sharePrice)).toBeCloseTo(assets / supply, 5)
      // What is there beyond what came and went was earned.
      expect(Number(earned)).toBeCloseTo(assets - deposited, 2)
    }
    expect(Number(points.at(-1)?.earned)).toBeGreaterThan(0)
    expect(whole).toMatchObject({ hasMore: false, limit: 50, nextCursor: null, syncedBlock: expect.any(String) })

    const paged: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: typeof whole = await history(`?limit=4${cursor ? `&cursor=${cursor}` : ''}`)
      paged.push(...page.points)
      cursor = page.nextCursor
    }
    expect(paged).toEqual(whole.points)
    await refused(world.deployer.get(path('/history?cursor=abc')), 400, 'VALIDATION_ERROR')
  })

  it('is not redeemed for nobody, nor for more than there is', async () => {
    await refused(redeem({ shares: '1' }), 400, 'HOLDER_REQUIRED')
    await refused(redeem({ shares: '0', holderAddress: bert.address }), 400, 'VALIDATION_ERROR')
    await refused(redeem({ shares: '1', holderAddress: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    const more = await refused(
      redeem({ shares: '20000.000001', holderAddress: bert.address }),
      409,
      'INSUFFICIENT_SHARES',
    )
    expect(more.details).toEqual({ held: '20000', required: '20000.000001' })
    await refused(world.deployer.get(path('?address=0x12')), 400, 'VALIDATION_ERROR')
    await refused(post('confirm-tx', { txHash: HASH, txType: 'OTHER' }), 400, 'VALIDATION_ERROR')
  })

  const everyRequest = (address?: string, party?: Party): [name: string, sent: () => Answered][] => [
    ['get', () => (party ?? world.deployer).get(path('', address))],
    ['earnings', () => (party ?? world.deployer).get(path('/earnings', address))],
    ['deposit', () => post('deposit', { amount: '1', holderAddress: bert.address }, address, party)],
    ['redeem', () => post('redeem', { shares: '1', holderAddress: bert.address }, address, party)],
    ['collect', () => post(FEES[0], { marketAddress: market.marketAddress }, address, party)],
    ['pay', () => post(FEES[1], { distributor }, address, party)],
    ['operator', () => post(FEES[2], {}, address, party)],
  ]
  const everyConfirmation = (address?: string, party?: Party): [name: string, sent: () => Answered][] => [
    ['confirm-tx', () => post('confirm-tx', { txHash: HASH, txType: 'REDEEM' }, address, party)],
    ...FEES.map((rest): [string, () => Answered] => [rest, () => post(rest, { txHash: HASH }, address, party)]),
  ]

  it('belongs to the instances that recorded the vault', async () => {
    for (const [, sent] of [...everyRequest(wallet(3).address), ...everyConfirmation(wallet(3).address)])
      await refused(sent(), 404, 'VAULT_NOT_FOUND')
    for (const [, sent] of [...everyRequest(vault, world.lender), ...everyConfirmation(vault, world.lender)])
      await refused(sent(), 404, 'VAULT_NOT_FOUND')
    await refused(world.deployer.get(path('/history', wallet(3).address)), 404, 'VAULT_NOT_FOUND')
    await refused(world.lender.get(path('/history')), 404, 'VAULT_NOT_FOUND')
    await refused(world.deployer.get(path('/history', WRONG_CHECKSUM)), 400, 'INVALID_ADDRESS')
    for (const wrong of ['abc', WRONG_CHECKSUM])
      for (const [, sent] of [...everyRequest(wrong), ...everyConfirmation(wrong)])
        await refused(sent(), 400, 'INVALID_ADDRESS')
  })

  it('waits while a market does not answer, and is paid from the rest', async () => {
    await world.follow()
    await life.call(world.cash, demoCashAbi, 'mint', [bert.address, units(100, 6)])
    await world.withBroken(market.marketAddress, async () => {
      const { onChain, holder } = await shown(lower(bert))
      expect(onChain).toMatchObject({ unreadableMarkets: [market.marketAddress], allocations: [] })
      expect(onChain.totalAssets).toBe(onChain.idleAssets)
      expect(holder.depositRefusal).toBe('MARKET_UNREADABLE')
      await refused(deposit({ amount: '1', holderAddress: bert.address }), 409, 'MARKET_UNREADABLE')
      const answer = await redeem({ shares: '1', holderAddress: bert.address })
      if (onChain.idleAssets === '0') expect(answer.body.error.code).toBe('NOTHING_REDEEMABLE')
      else expect(answer.body.data).toMatchObject({ unreadableMarkets: [market.marketAddress] })
    })
    expect((await shown()).onChain.unreadableMarkets).toEqual([])
  })

  it('is not told of when the vault or the chain does not answer', async () => {
    await world.follow()
    await world.withBroken(vault, async () => {
      for (const [name, sent] of everyRequest())
        expect([name, (await refused(sent(), 503, 'VAULT_STATE_UNAVAILABLE')).message]).toEqual([
          name,
          expect.any(String),
        ])
    })
    await world.withBroken(market.marketAddress, () =>
      refused(post(FEES[0], { marketAddress: market.marketAddress }), 503, 'VAULT_STATE_UNAVAILABLE'),
    )
    await world.withoutNode(async () => {
      for (const [, sent] of everyRequest()) await refused(sent(), 503, 'VAULT_STATE_UNAVAILABLE')
      for (const [, sent] of everyConfirmation()) await refused(sent(), 503, 'CHAIN_UNAVAILABLE')
    })
  })

  it('moves by nothing but the events of the vault', async () => {
    const confirmations = [
      (txHash: Hex) => post('confirm-tx', { txHash, txType: 'DEPOSIT' }),
      ...FEES.map((rest) => (txHash: Hex) => post(rest, { txHash })),
    ]
    const other = { abi: abis.vault, functionName: 'approve', args: [owner, 1n] }
    for (const confirm of confirmations) await expectTransactionFaults(world, { confirm, target: vault, other })
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    const callData = encodeFunctionData({ abi: abis.vault, functionName: 'approve', args: [owner, 1n] })
    const touched = await send(world.node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [[{ target: vault, value: 0n, callData }], false],
    })
    for (const confirm of confirmations) await refused(confirm(touched.transactionHash), 400, 'TX_NOT_VERIFIED')
  })

  it('is gone when the pools that it stood in are lost', async () => {
    expect(await ask('idleAssets')).toBe(0n)
    await life.wipeOut(market)
    await world.follow()
    const { onChain, holder } = await shown(lower(bert))
    expect(onChain).toMatchObject({ totalAssets: '0', wipedOut: true, redeemableNow: '0' })
    expect(holder).toMatchObject({ shares: '20000', value: '0', depositRefusal: 'VAULT_WIPED_OUT' })
    await refused(redeem({ shares: '20000', holderAddress: bert.address }), 409, 'NOTHING_REDEEMABLE')
    await refused(deposit({ amount: '1', holderAddress: bert.address }), 409, 'VAULT_WIPED_OUT')
  })
})
