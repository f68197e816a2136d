import { demoCashAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeesLife, type FeesLife } from '../../../test/lending/fees-life.ts'
import { createImplementations } from '../../../test/lending/implementations.ts'
import { createLendingWorld, type LendingWorld, must, units, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { abis } from '../contracts.ts'

const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
const HASH = `0x${'1'.repeat(64)}`
const DAY = 86_400

describe('the insurance fund of a market', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let life: FeesLife
  let market: LiveMarket
  let payer: Address

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    life = createFeesLife(world)
    market = await life.earning()
    payer = world.deployer.wallet.address.toLowerCase() as Address
    await life.call(world.cash, demoCashAbi, 'mint', [payer, units(10_000, 6)])
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  const path = (name: string, marketId = market.marketId) => `${V2}/markets/${marketId}/insurance/${name}`
  const status = async () => must(await world.deployer.get(path('status'))).body.data
  const post = (name: string, body: Record<string, unknown>, marketId?: string) =>
    world.deployer.post(path(name, marketId), body)
  async function refused(name: string, body: Record<string, unknown>, status: number, code: string, marketId?: string) {
    const answer = name === 'status' ? await world.deployer.get(path(name, marketId)) : await post(name, body, marketId)
    expect([name, answer.status, answer.body.error?.code]).toEqual([name, status, code])
    return answer.body.error
  }
  async function sendSteps(steps: readonly { to: Address; data: Hex }[]): Promise<Hex> {
    let last: Hex = '0x'
    for (const { to, data } of steps) last = await world.sendRaw(world.deployer.wallet, { to, data })
    return last
  }

  it('is topped up in two steps by anybody, and the record says so once', async () => {
    const built = must(await post('top-up', { amount: '2500.5', fromAddress: payer })).body.data
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTIONS',
      functionName: 'topUp',
      confirmStepIndex: 1,
      fundAddress: market.fund,
      amountRaw: '2500500000',
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: path('record-topup'), body: { txHash: null, amount: '2500.5', fromAddress: payer } },
    })
    expect(built.steps.map(({ to }: { to: string }) => to)).toEqual([world.cash, market.fund])
    const txHash = await sendSteps(built.steps)
    const body = { ...built.confirmWith.body, txHash }
    const recorded = must(await post('record-topup', body)).body.data
    expect(recorded).toMatchObject({ recorded: true, duplicate: false, booked: true, amount: '2500.5' })
    expect(must(await post('record-topup', body)).body.data).toEqual({ ...recorded, duplicate: true })
    await world.follow()
    proxy.requests.length = 0
    const data = await status()
    expect(proxy.requests).toHaveLength(1)
    expect(data).toMatchObject({
      configured: true,
      fundAddress: market.fund,
      owner: payer,
      pendingOwner: null,
      ownedByMarket: false,
      marketAuthorized: true,
      stats: { totalDeposits: '2500.5', currentBalance: '2500.5', badDebtCovered: '0', unbookedBalance: '0' },
      generation: { version: '2', topUpBooked: true },
      fundImplementation: {
        target: world.suite.insuranceFund,
        current: world.suite.insuranceFund,
        upgradeAvailable: false,
      },
    })
    expect(data.recentTopUps).toMatchObject([
      { from: payer, amountRaw: '2500500000', txHash, recordedByThisInstance: true },
    ])
  })

  it('is topped up by a Safe, whose two calls are one transaction', async () => {
    const safe = await deploySafe(world.node, [wallet(4)])
    await life.call(world.cash, demoCashAbi, 'mint', [safe.address, units(50, 6)])
    const built = must(await post('top-up', { amount: '50', fromAddress: safe.address })).body.data
    await safe.execThroughSafe(built.steps[0])
    const { receipt } = await safe.execThroughSafe(built.steps[1])
    const body = { txHash: receipt.transactionHash, amount: '50', fromAddress: safe.address }
    expect(must(await post('record-topup', body)).body.data).toMatchObject({ verifiedBy: 'receipt-log', amount: '50' })
    await refused('record-topup', { ...body, amount: '49' }, 400, 'AMOUNT_MISMATCH')
    await refused('record-topup', { ...body, fromAddress: payer }, 400, 'TX_NOT_VERIFIED')
    const file = must(await world.deployer.post(`${path('top-up')}?format=safe`, { amount: '1', fromAddress: payer }))
    expect(file.body.transactions).toHaveLength(2)
  })

  it('counts cash that was merely sent to it, but that is no top-up', async () => {
    const { transactionHash } = await life.call(world.cash, demoCashAbi, 'transfer', [market.fund, units(7, 6)])
    expect((await status()).stats).toMatchObject({ currentBalance: '2557.5', unbookedBalance: '7' })
    const body = { txHash: transactionHash, amount: '7', fromAddress: payer }
    await refused('record-topup', body, 409, 'NOT_A_TOP_UP')
    const call = await life.call(market.fund, abis.fund, 'setMarketAuthorized', [market.marketAddress, true])
    await refused('record-topup', { ...body, txHash: call.transactionHash }, 409, 'NOT_A_TOP_UP')
    await life.insuranceRate(market, 2_000)
    await life.repaidYear(market)
    const { earmarkedProtocolFees, earmarkedProtocolFeesSweepable } = await status()
    expect([Number(earmarkedProtocolFees) > 0, earmarkedProtocolFeesSweepable]).toEqual([true, true])
    const swept = await life.call(market.marketAddress, abis.market, 'sweepProtocolFees', [])
    const income = { txHash: swept.transactionHash, amount: earmarkedProtocolFees, fromAddress: market.marketAddress }
    await refused('record-topup', income, 409, 'NOT_A_TOP_UP')
    await refused('record-topup', { ...body, txHash: HASH }, 404, 'TX_NOT_FOUND')
    const failed = await world.node.walletClient.sendTransaction({
      account: wallet(8),
      to: market.fund,
      data: encodeFunctionData({ abi: abis.fund, functionName: 'topUp', args: [1n] }),
      gas: 300_000n,
    })
    await world.node.publicClient.waitForTransactionReceipt({ hash: failed })
    await refused('record-topup', { ...body, txHash: failed }, 400, 'TX_REVERTED')
  })

  it('refuses requests that make no sense', async () => {
    for (const amount of ['0', '-1', 'abc', '1.0000001', '1e3']) {
      await refused('top-up', { amount, fromAddress: payer }, 400, 'INVALID_AMOUNT')
      await refused('record-topup', { amount, fromAddress: payer, txHash: HASH }, 400, 'INVALID_AMOUNT')
      await refused('withdraw-calldata', { amount, recipient: payer }, 400, 'VALIDATION_ERROR')
    }
    await refused('top-up', { amount: '1', fromAddress: WRONG_CHECKSUM }, 400, 'VALIDATION_ERROR')
    await refused('top-up', { amount: '1' }, 400, 'VALIDATION_ERROR')
    await refused('record-topup', { amount: '1', fromAddress: WRONG_CHECKSUM, txHash: HASH }, 400, 'VALIDATION_ERROR')
    await refused('withdraw-calldata', { amount: '1' }, 400, 'VALIDATION_ERROR')
    await refused('withdraw-calldata', { recipient: payer }, 400, 'VALIDATION_ERROR')
    await refused('withdraw-calldata', { recipient: WRONG_CHECKSUM, txHash: HASH }, 400, 'VALIDATION_ERROR')
    const short = await refused('top-up', { amount: '1000000', fromAddress: payer }, 400, 'INSUFFICIENT_BALANCE')
    expect(short.message).toContain('USDX')
    await refused('withdraw-calldata', { amount: '1000000', recipient: payer }, 400, 'INSUFFICIENT_BALANCE')
  })

  it('gives back to its owner alone', async () => {
    const recipient = wallet(6).address.toLowerCase() as Address
    const built = must(await post('withdraw-calldata', { amount: '100', recipient })).body.data
    expect(built).toMatchObject({
      calldata: { to: market.fund, value: '0', chainId: world.node.chainId },
      functionName: 'emergencyWithdraw',
      fundOwner: payer,
      requiredRole: 'OWNER',
      requiredSigner: payer,
      heldByThisInstance: true,
      simulation: { success: true },
    })
    expect(built).not.toHaveProperty('action')
    const confirm = (txHash: Hex, more: Record<string, unknown> = {}) => post('withdraw-calldata', { txHash, ...more })
    await expectTransactionFaults(world, {
      confirm,
      target: market.fund,
      other: { abi: abis.fund, functionName: 'setMarketAuthorized', args: [market.marketAddress, true] },
    })
    const txHash = await world.sendRaw(world.deployer.wallet, built.calldata)
    expect(must(await confirm(txHash)).body.data).toMatchObject({
      txHash,
      signedBy: payer,
      fundAddress: market.fund,
      recipient,
      amount: '100',
    })
    must(await confirm(txHash, { recipient, amount: '100' }))
    await refused('withdraw-calldata', { txHash, amount: '99' }, 400, 'TX_NOT_VERIFIED')
    await refused('withdraw-calldata', { txHash, recipient: payer }, 400, 'TX_NOT_VERIFIED')
    expect((await status()).stats.totalWithdrawn).toBe('100')
  })

  it('shows what the market lost and what it paid of that', async () => {
    const loanId = await life.openLoan(market, wallet(3), { collateral: 200, amount: 10_000 })
    await life.priceTo(market, units(40, 6))
    const { liquidationId } = await life.liquidate(market, loanId)
    await life.settle(market, liquidationId, units(5_000, 6))
    await life.priceTo(market, units(100, 6))
    await world.follow()
    const { marketBadDebt, stats } = await status()
    expect(marketBadDebt.drawsIndexed).toBeGreaterThan(0)
    expect(marketBadDebt.covered).toBe(stats.badDebtCovered)
    expect(Number(marketBadDebt.totalLosses)).toBeCloseTo(
      Number(marketBadDebt.covered) + Number(marketBadDebt.borneByProviders),
      6,
    )
  })

  it('belongs to the market itself before it is adopted', async () => {
    const other = await world.createSecurity('NEW')
    await world.importToken(world.deployer, other.token)
    const { marketId, marketAddress } = await world.deployMarket({ collateralTokenAddress: other.token })
    const { data } = must(await world.deployer.get(path('status', marketId))).body
    expect(data).toMatchObject({ owner: marketAddress, ownedByMarket: true, recentTopUps: [] })
  })

  it('may be another one than at deployment, may be none, and may be of a generation that nobody else can fill', async () => {
    const implementations = createImplementations(world)
    const other = await life.earning({ mode: 'CUSTODY' }, 0)
    await life.call(market.marketAddress, abis.market, 'setInsuranceFund', [other.fund])
    expect(await status()).toMatchObject({
      fundAddress: other.fund,
      marketAuthorized: false,
      stats: { currentBalance: '0' },
    })
    // A vault holds the same asset, so the market takes it for a fund; it is none.
    const vault = await life.vault()
    await life.call(market.marketAddress, abis.market, 'setInsuranceFund', [vault])
    await refused('status', {}, 400, 'FUND_NOT_READABLE')
    await refused('top-up', { amount: '1', fromAddress: payer }, 409, 'FUND_UPGRADE_REQUIRED')
    await life.call(market.marketAddress, abis.market, 'setInsuranceFund', [market.fund])

    await implementations.serve('insuranceFund', await implementations.create('FundWithoutTopUp', 1n))
    await implementations.serve('market', await implementations.create('NominatingMarket', 2n))
    const bare = await world.createSecurity('BARE')
    await world.importToken(world.deployer, bare.token)
    const old = await life.adopted({ collateralTokenAddress: bare.token })
    await refused('top-up', { amount: '1', fromAddress: payer }, 409, 'FUND_UPGRADE_REQUIRED', old.marketId)
    const forget = {
      type: 'function',
      name: 'forgetSatellites',
      inputs: [],
      outputs: [],
      stateMutability: 'nonpayable',
    }
    await life.call(old.marketAddress, [forget], 'forgetSatellites', [])
    for (const [name, body] of [
      ['status', {}],
      ['top-up', { amount: '1', fromAddress: payer }],
      ['record-topup', { amount: '1', fromAddress: payer, txHash: HASH }],
      ['withdraw-calldata', { amount: '1', recipient: payer }],
      ['withdraw-calldata', { txHash: HASH }],
    ] as const)
      await refused(name, body, 400, 'NO_INSURANCE_FUND', old.marketId)
    await implementations.serveCurrent('insuranceFund')
    await implementations.serveCurrent('market')
  })

  it('is not answered for when it or the chain does not answer', async () => {
    const code = await world.node.publicClient.getCode({ address: market.fund })
    await world.node.testClient.setCode({ address: market.fund, bytecode: '0x' })
    await refused('status', {}, 400, 'FUND_NOT_READABLE')
    await refused('withdraw-calldata', { amount: '1', recipient: zeroAddress }, 400, 'FUND_NOT_READABLE')
    await world.node.testClient.setCode({ address: market.fund, bytecode: code ?? '0x' })
    await life.travel(DAY)
    proxy.replaceResponse = { status: 500, body: 'out of order' }
    const body = { amount: '1', fromAddress: payer }
    await refused('status', {}, 503, 'FUND_STATE_UNAVAILABLE')
    await refused('top-up', body, 503, 'FUND_STATE_UNAVAILABLE')
    await refused('record-topup', { ...body, txHash: HASH }, 503, 'CHAIN_UNAVAILABLE')
    await refused('withdraw-calldata', { amount: '1', recipient: payer }, 503, 'FUND_STATE_UNAVAILABLE')
    await refused('withdraw-calldata', { txHash: HASH }, 503, 'CHAIN_UNAVAILABLE')
    proxy.replaceResponse = undefined
  })
})
