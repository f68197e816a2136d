import { demoCashAbi } from '@tallystick/abi'
import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import { createLiquidityLife, type LiquidityLife } from '../../../test/lending/liquidity-life.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { abis } from '../contracts.ts'

const V1 = '/lending-external-securities/api'
const HASH = `0x${'1'.repeat(64)}`
const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
const YEAR = 365 * 86_400

describe('the pool of a market', () => {
  let world: ProxiedWorld
  let life: LiquidityLife
  let market: LiveMarket
  let operator: Address
  let vault: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createLiquidityLife(world)
    market = await life.earning({}, 0)
    operator = world.deployer.wallet.address.toLowerCase() as Address
    await life.call(world.cash, demoCashAbi, 'mint', [operator, units(100_000, 6)])
    vault = await life.recordedVault([[market, 3_500]])
  })
  afterAll(() => world.close())

  const path = (rest: string, marketId = market.marketId) => `${V1}/positions/${marketId}/${rest}`
  const add = (body: Record<string, unknown>, marketId?: string) =>
    world.deployer.post(path('add-liquidity', marketId), body)
  const remove = (body: Record<string, unknown>) => world.deployer.post(path('remove-liquidity'), body)
  const sharesOf = (provider: Address) => life.read<bigint>(market.marketAddress, abis.market, 'sharesOf', [provider])
  const providers = async (query = '') => must(await world.deployer.get(path(`providers${query}`))).body.data
  const balance = async (provider: string) =>
    must(await world.deployer.get(path(`provider-balance/${provider}`))).body.data
  async function refused(
    sent: Promise<{ status: number; body: { error: Record<string, unknown> } }>,
    status: number,
    code: string,
  ) {
    const answer = await sent
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
    return answer.body.error as { message: string; details: Record<string, string> }
  }

  it('is nobody’s at first', async () => {
    expect(await providers()).toMatchObject({ providers: [], source: 'onchain', total: 0, nextCursor: null })
    expect(await balance(operator)).toMatchObject({ shares: '0', currentValue: '0', deposited: '0', source: 'onchain' })
    const draft = must(
      await world.deployer.post(
        '/lending-external-securities-v2/api/markets/deploy',
        world.deployBody({ mode: 'CUSTODY' }),
      ),
    ).body.data.marketId
    const none = must(await world.deployer.get(path('providers', draft))).body.data
    expect(none).toMatchObject({ providers: [], source: 'database', syncedBlock: null })
  })

  it('takes a first deposit of its operator that is large enough, and shows it at once', async () => {
    const small = await refused(add({ amount: '999.999999', provider: operator }), 400, 'BELOW_MIN_DEPOSIT')
    expect(small.details).toEqual({ minimum: '1000' })
    expect(small.message).toContain('1000 USDX')
    const { data } = must(await add({ amount: '10000.5', provider: operator })).body
    expect(data).toMatchObject({
      action: 'SIGN_TRANSACTIONS',
      functionName: 'addLiquidity',
      confirmStepIndex: 1,
      requiredSigner: operator,
      amountRaw: '10000500000',
      preview: { sharesMinted: '10000.5', shareOfPoolBps: 10_000, sharePrice: '1', startsNewEpoch: false },
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: path('add-liquidity'), body: { provider: operator, txHash: null } },
    })
    expect(data.steps.map(({ functionName }: { functionName: string }) => functionName)).toEqual([
      'approve',
      'addLiquidity',
    ])
    const txHash = await life.signAll(world.deployer.wallet, data.steps)
    const confirmed = must(await add({ provider: operator, amount: '1', txHash })).body.data
    expect(confirmed).toMatchObject({
      txHash,
      provider: operator,
      amount: '10000.5',
      shares: '10000.5',
      signedBy: operator,
    })
    expect(confirmed).not.toHaveProperty('verifiedBy')
    expect(must(await add({ txHash })).body.data).toEqual(confirmed)
    expect(await sharesOf(operator)).toBe(units(10_000.5))
    expect((await providers()).providers).toMatchObject([
      {
        provider: operator,
        amountDeposited: '10000.5',
        sharesOwned: '10000.5',
        currentValue: '10000.5',
        source: 'wallet',
        vault: null,
      },
    ])
    await refused(add({ provider: vault, txHash }), 400, 'TX_NOT_VERIFIED')
  })

  it('mints to the unit what was promised, also when interest made shares dearer', async () => {
    await life.travelFresh(market, 1)
    const loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 8_000 })
    await life.travelFresh(market, YEAR)
    await life.repay(market, wallet(3), loanId, 300)
    const built = must(await add({ amount: '2500', provider: operator }))
    await world.sendRaw(world.deployer.wallet, built.body.data.steps[0].transaction)
    const again = must(await add({ amount: '2500', provider: operator })).body
    const { result } = await world.node.publicClient.simulateContract({
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'addLiquidity',
      args: [units(2_500, 6)],
      account: operator,
      blockNumber: BigInt(again.metadata.blockNumber),
    })
    expect(again.data.preview.sharesMinted).toBe(formatUnits(result, 18))
    expect(Number(again.data.preview.sharePrice)).toBeGreaterThan(1.05)
    const txHash = await world.sendRaw(world.deployer.wallet, again.data.steps[1].transaction)
    must(await add({ txHash }))
    await life.repay(market, wallet(3), loanId, 20_000)
  })

  it('takes money of its operator and its registered vaults only', async () => {
    await refused(add({ amount: '5' }), 400, 'PROVIDER_REQUIRED')
    const other = world.lender.wallet.address
    await refused(add({ amount: '5', provider: other }), 403, 'LIQUIDITY_VAULT_ONLY')
    await refused(add({ amount: '5', provider: vault }), 403, 'LIQUIDITY_VAULT_ONLY')
    const short = await refused(add({ amount: '1000000', provider: operator }), 400, 'INSUFFICIENT_BALANCE')
    expect(short.details).toMatchObject({ payer: operator, required: '1000000' })
    for (const amount of [undefined, '0', '-1', '1.0000001', 'abc', '9'.repeat(50)])
      await refused(add({ amount, provider: operator }), 400, 'VALIDATION_ERROR')
    await refused(add({ amount: '1', provider: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    await refused(add({ provider: WRONG_CHECKSUM, txHash: HASH }), 400, 'VALIDATION_ERROR')
    const seekingId = (await world.deployMarket({ mode: 'CUSTODY' })).marketId
    await refused(add({ amount: '5000', provider: operator }, seekingId), 409, 'MARKET_PENDING_CURATOR')
    await life.call(market.marketAddress, abis.market, 'pause', [])
    await refused(add({ amount: '5', provider: operator }), 400, 'MARKET_PAUSED')
    must(await remove({ shares: '1', provider: operator }))
    await life.call(market.marketAddress, abis.market, 'unpause', [])
  })

  it('takes and gives back the money of a vault, whose owner signs', async () => {
    await life.giveCash(wallet(5), vault, units(4_000, 6))
    await life.call(vault, abis.vault, 'deposit', [units(4_000, 6), wallet(6).address], wallet(5))
    await life.call(market.marketAddress, abis.market, 'registerVault', [vault])
    const short = await refused(add({ amount: '4000.000001', provider: vault }), 400, 'INSUFFICIENT_BALANCE')
    expect(short.details).toEqual({ payer: vault, balance: '4000', required: '4000.000001' })
    const capped = await refused(add({ amount: '3500.000001', provider: vault }), 409, 'ABOVE_DRAW_CAP')
    expect(capped.details).toEqual({ room: '3500', required: '3500.000001' })
    const { data } = must(await add({ amount: '3000', provider: vault })).body
    expect(data).toMatchObject({
      functionName: 'supply',
      confirmStepIndex: 0,
      provider: vault,
      requiredSigner: operator,
      simulation: { success: true },
    })
    const txHash = await life.signAll(world.deployer.wallet, data.steps)
    expect(must(await add({ provider: vault, txHash })).body.data).toMatchObject({
      verifiedBy: 'receipt-log',
      provider: vault,
      amount: '3000',
    })
    await world.follow()
    const held = await sharesOf(vault)
    const out = must(await remove({ shares: formatUnits(held, 18), provider: vault })).body.data
    expect(out).toMatchObject({ functionName: 'withdraw', requiredSigner: operator, quoteValidForSeconds: 120 })
    expect(out.transaction.to).toBe(vault)
    expect(out.simulation.success).toBe(true)
    const half = must(await remove({ shares: formatUnits(held / 2n, 18), provider: vault }))
    const outHash = await world.sign(world.deployer.wallet, half)
    const gone = must(await remove({ provider: vault, txHash: outHash })).body.data
    expect(gone).toMatchObject({ verifiedBy: 'receipt-log', sharesRedeemed: formatUnits(held / 2n, 18) })
    expect(gone.amount).toBe(half.body.data.expectedAmount)
  })

  it('is held by a Safe as well, which signs for itself', async () => {
    const safe = await deploySafe(world.node, [wallet(4)])
    await life.call(market.marketAddress, abis.market, 'setOperatorFeeRecipient', [safe.address])
    await life.call(world.cash, demoCashAbi, 'mint', [safe.address, units(1_001, 6)])
    const { steps } = must(await add({ amount: '1000', provider: safe.address })).body.data
    await safe.execThroughSafe(steps[0].transaction)
    const { receipt } = await safe.execThroughSafe(steps[1].transaction)
    const body = { provider: safe.address, txHash: receipt.transactionHash }
    expect(must(await add(body)).body.data).toMatchObject({ verifiedBy: 'receipt-log', amount: '1000' })
    const file = must(
      await world.deployer.post(`${path('add-liquidity')}?format=safe`, { amount: '0.5', provider: safe.address }),
    )
    expect(file.body.transactions).toHaveLength(2)
    const back = encodeFunctionData({ abi: abis.market, functionName: 'setOperatorFeeRecipient', args: [operator] })
    await safe.execThroughSafe({ to: market.marketAddress, data: back })
  })

  it('gives back all or nothing, as far as it is not lent out, and says how much that is', async () => {
    const held = await sharesOf(operator)
    await refused(remove({ shares: '1' }), 400, 'PROVIDER_REQUIRED')
    for (const shares of [undefined, '0', '-1', '1.0000000000000000001', 'abc'])
      await refused(remove({ shares, provider: operator }), 400, 'VALIDATION_ERROR')
    await refused(remove({ shares: '1', provider: WRONG_CHECKSUM }), 400, 'VALIDATION_ERROR')
    await refused(remove({ provider: WRONG_CHECKSUM, txHash: HASH }), 400, 'VALIDATION_ERROR')
    const more = await refused(
      remove({ shares: formatUnits(held + 1n, 18), provider: operator }),
      400,
      'INSUFFICIENT_SHARES',
    )
    expect(more.details).toEqual({ held: formatUnits(held, 18), required: formatUnits(held + 1n, 18) })

    await life.travelFresh(market, 1)
    const loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 12_000 })
    const all = await refused(
      remove({ shares: formatUnits(held, 18), provider: operator }),
      400,
      'INSUFFICIENT_LIQUIDITY',
    )
    const { maxShares = '', maxAmount = '' } = all.details
    expect(all.message).toContain(maxShares)
    expect((await balance(operator)).redeemableShares).not.toBe(formatUnits(held, 18))
    const { cash } = await life.read<{ cash: bigint }>(market.marketAddress, abis.market, 'pool')
    // Short of the cash by what two minutes of interest could add, which is next to nothing.
    expect(Number(cash) / 1e6 - Number(maxAmount)).toBeGreaterThanOrEqual(0)
    expect(Number(cash) / 1e6 - Number(maxAmount)).toBeLessThan(0.02)
    const built = must(await remove({ shares: maxShares, provider: operator }))
    expect(built.body.data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'removeLiquidity',
      expectedAmount: maxAmount,
      quoteValidForSeconds: 120,
      requiredSigner: operator,
      simulation: { success: true },
      confirmWith: { endpoint: path('remove-liquidity'), body: { provider: operator, txHash: null } },
    })
    const { result } = await world.node.publicClient.simulateContract({
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'removeLiquidity',
      args: [parseUnits(maxShares, 18)],
      account: operator,
      blockNumber: BigInt(built.body.metadata.blockNumber),
    })
    expect(built.body.data.expectedAmountRaw).toBe(String(result))
    await life.travel(100)
    const txHash = await world.sign(world.deployer.wallet, built)
    const confirmed = must(await remove({ shares: '1', txHash })).body.data
    expect(confirmed).toMatchObject({ sharesRedeemed: maxShares, provider: operator, signedBy: operator })
    expect(Number(confirmed.amount)).toBeGreaterThanOrEqual(Number(maxAmount))
    expect(must(await remove({ shares: '1', txHash })).body.data).toEqual(confirmed)
    await refused(remove({ provider: vault, txHash }), 400, 'TX_NOT_VERIFIED')
    await life.repay(market, wallet(3), loanId, 20_000)
  })

  it('keeps its word for as long as a quote holds, also when loans carry high rates of their own', async () => {
    await life.call(market.marketAddress, abis.market, 'setTermConfig', [30 * 86_400, 86_400, 0, 0])
    await life.call(market.rateModel, abis.rateModel, 'setMaxFixedRate', [30_000])
    await life.call(market.rateModel, abis.rateModel, 'setRateMode', [2, 0, 0, 30_000])
    await life.travelFresh(market, 1)
    const loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 8_000 })
    await world.follow()
    const held = formatUnits(await sharesOf(operator), 18)
    const { details } = await refused(remove({ shares: held, provider: operator }), 400, 'INSUFFICIENT_LIQUIDITY')
    const built = must(await remove({ shares: details.maxShares, provider: operator }))
    await life.travel(115)
    await world.sign(world.deployer.wallet, built)
    await life.repay(market, wallet(3), loanId, 20_000)
    await life.call(market.rateModel, abis.rateModel, 'setRateMode', [0, 0, 0, 0])
  })

  it('lists who holds it, newest first and page by page, in one round trip', async () => {
    await world.follow()
    const safeShares = (await providers()).providers
    expect(safeShares).toHaveLength(3)
    expect(await world.roundTrips(() => providers())).toBe(1)
    expect(await world.roundTrips(() => balance(operator))).toBe(1)
    const [safe, ofVault, ofOperator] = safeShares
    expect(safe).toMatchObject({ amountDeposited: '1000', source: 'wallet', active: true, withdrawnAt: null })
    expect(ofVault).toMatchObject({
      provider: vault,
      amountDeposited: '3000',
      source: 'vault',
      vault: { name: 'Nordlicht Vault', symbol: 'NLV' },
      sharesOwned: formatUnits(await sharesOf(vault), 18),
    })
    expect(ofOperator).toMatchObject({ provider: operator, amountDeposited: '12500.5' })
    const value = await life.read<bigint>(market.marketAddress, abis.market, 'toAssets', [await sharesOf(vault)])
    expect(ofVault.currentValue).toBe(formatUnits(value, 6))

    const first = await providers('?limit=2')
    expect(first).toMatchObject({ total: 3, hasMore: true, limit: 2, offset: 0 })
    const rest = await providers(`?limit=2&cursor=${first.nextCursor}`)
    expect(rest).toMatchObject({ total: 1, hasMore: false, nextCursor: null })
    expect([...first.providers, ...rest.providers]).toEqual(safeShares)
    expect((await providers('?limit=2&offset=2')).providers).toEqual([ofOperator])
    await refused(world.deployer.get(path('providers?cursor=abc')), 400, 'VALIDATION_ERROR')
  })

  it('lets whoever left go, and keeps what they paid in', async () => {
    await life.call(vault, abis.vault, 'withdraw', [market.marketAddress, await sharesOf(vault)])
    // Before the events say so, the chain does.
    expect((await providers()).providers.map(({ provider }: { provider: string }) => provider)).not.toContain(vault)
    await world.follow()
    expect((await providers()).total).toBe(2)
    expect(await balance(vault)).toMatchObject({ shares: '0', currentValue: '0', deposited: '3000' })
    await refused(world.deployer.get(path('provider-balance/0x12')), 400, 'VALIDATION_ERROR')
    await refused(world.deployer.get(path(`provider-balance/${WRONG_CHECKSUM}`)), 400, 'VALIDATION_ERROR')
  })

  it('shows what events say, and says so, when the chain does not answer', async () => {
    const live = await balance(operator)
    const stored = await world.withoutNode(async () => ({ balance: await balance(operator), list: await providers() }))
    expect(stored.balance).toMatchObject({
      shares: live.shares,
      deposited: '12500.5',
      currentValue: null,
      redeemableShares: null,
      distributorFees: null,
      source: 'database',
      syncedBlock: live.syncedBlock,
    })
    expect(stored.list).toMatchObject({ source: 'database', total: 2 })
    expect(stored.list.providers[1]).toMatchObject({ provider: operator, sharesOwned: live.shares, currentValue: null })
    const broken = await world.withBroken(market.marketAddress, async () => ({
      balance: await balance(operator),
      list: await providers(),
    }))
    expect([broken.balance.source, broken.list.source]).toEqual(['database', 'database'])
  })

  it('is not built for when it cannot be read', async () => {
    const everything = async () => {
      await refused(add({ amount: '1', provider: operator }), 503, 'MARKET_STATE_UNAVAILABLE')
      await refused(remove({ shares: '1', provider: operator }), 503, 'MARKET_STATE_UNAVAILABLE')
    }
    await world.withBroken(market.marketAddress, everything)
    await world.withoutNode(async () => {
      await everything()
      await refused(add({ txHash: HASH }), 503, 'CHAIN_UNAVAILABLE')
      await refused(remove({ txHash: HASH }), 503, 'CHAIN_UNAVAILABLE')
    })
  })

  it('moves by nothing but its events', async () => {
    for (const confirm of [add, remove])
      await expectTransactionFaults(world, {
        confirm: (txHash) => confirm({ txHash }),
        target: market.marketAddress,
        other: { abi: abis.market, functionName: 'pokeSnapshot' },
      })
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    const callData = encodeFunctionData({ abi: abis.market, functionName: 'pokeSnapshot' })
    const touched = await send(world.node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [[{ target: market.marketAddress, value: 0n, callData }], false],
    })
    for (const confirm of [add, remove])
      await refused(confirm({ txHash: touched.transactionHash as Hex }), 400, 'TX_NOT_VERIFIED')
  })

  it('starts anew when it was lost: old shares count no more, in events as on chain', async () => {
    await life.wipeOut(market)
    await world.follow()
    const before = await balance(operator)
    expect([before.shares === '0', before.currentValue]).toEqual([false, '0'])
    const worthless = must(await remove({ shares: '1', provider: operator })).body.data
    expect(worthless.expectedAmount).toBe('0')
    expect(worthless).not.toHaveProperty('quoteValidForSeconds')
    await refused(add({ amount: '999', provider: operator }), 400, 'BELOW_MIN_DEPOSIT')
    const { data } = must(await add({ amount: '1500', provider: operator })).body
    expect(data.preview).toEqual({
      sharesMinted: '1500',
      sharesAfter: '1500',
      shareOfPoolBps: 10_000,
      sharePrice: '1',
      startsNewEpoch: true,
    })
    must(await add({ txHash: await life.signAll(world.deployer.wallet, data.steps) }))
    await world.follow()
    expect(await sharesOf(operator)).toBe(units(1_500))
    const list = await providers()
    expect(list).toMatchObject({ total: 1, source: 'onchain' })
    expect(list.providers).toMatchObject([{ provider: operator, sharesOwned: '1500', amountDeposited: '14000.5' }])
    const stored = await world.withoutNode(() => providers())
    expect(stored.providers).toMatchObject([{ provider: operator, sharesOwned: '1500' }])
  })
})
