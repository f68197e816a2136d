import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { deploySafe, deployTrex, send, type Trex, trexTokenAbi, wallet } from '@tallystick/testkit'
import { type Address, decodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import {
  createRouterLife,
  HASH,
  type RouterLife,
  refusal,
  type Seizure,
  WRONG_CHECKSUM,
} from '../../../test/lending/router-life.ts'
import { V1 } from '../../../test/lending/setup-helpers.ts'
import { abis } from '../contracts.ts'

const OPERATOR_ROLE = keccak256(toHex('OPERATOR_ROLE'))
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

describe('withdrawing collateral for sale', () => {
  let world: ProxiedWorld
  let life: RouterLife
  let market: LiveMarket
  let seizure: Seizure
  let recipient: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRouterLife(world)
    market = await life.earning({}, 500_000)
    seizure = await life.seized(market)
    recipient = world.deployer.wallet.address.toLowerCase() as Address
  })
  afterAll(() => world.close())

  const withdraw = (body: Record<string, unknown>, id: bigint | string = seizure.id) =>
    life.on('withdraw-collateral', id, body)
  const held = (account: Address) => life.read<bigint>(world.security.token, demoSecurityAbi, 'balanceOf', [account])

  it('builds for the router operator and the fixed sale recipient, and says what would happen', async () => {
    const answer = must(await withdraw({ amount: '10.50' }))
    const { data, metadata } = answer.body
    expect(data).toEqual({
      liquidationId: '1',
      marketId: market.marketId,
      success: true,
      action: 'SIGN_TRANSACTION',
      transaction: { to: market.router, data: expect.any(String), value: '0', chainId: world.node.chainId },
      functionName: 'withdrawCollateralForSale',
      simulation: { simulated: true, success: true, gasUsed: expect.any(String), revert: null },
      requiredRole: 'OPERATOR_ROLE',
      signer: recipient,
      recipient,
      saleRecipient: recipient,
      amount: '10.5',
      amountRaw: units(10.5).toString(),
      collateralRemaining: expect.stringMatching(/^459\./),
      confirmWith: {
        endpoint: `${V1}/liquidations/withdraw-collateral/1`,
        field: 'txHash',
        body: { marketId: market.marketId, amount: '10.5', txHash: null },
      },
    })
    const { functionName, args } = decodeFunctionData({ abi: abis.router, data: data.transaction.data })
    expect([functionName, args]).toEqual(['withdrawCollateralForSale', [1n, units(10.5)]])
    expect(metadata.blockNumber).toBeDefined()
    const file = must(
      await world.deployer.post(`${V1}/liquidations/withdraw-collateral/1?format=safe`, { amount: '1' }),
    )
    expect(file.body.transactions).toMatchObject([{ to: market.router }])
    // The same under every prefix, and with the market in the query.
    for (const prefix of ['/lending-external-securities-v2/api', V1])
      must(
        await world.deployer.post(`${prefix}/liquidations/withdraw-collateral/1?marketId=${market.marketId}`, {
          amount: '1',
          recipientAddress: world.deployer.wallet.address,
        }),
      )
    const stocks = await world.deployer.post('/lending-stocks/api/liquidations/withdraw-collateral/1', { amount: '1' })
    refusal(stocks, 404, 'LIQUIDATION_NOT_FOUND')
  })

  it('goes out in three tranches, and the liquidation stays pending', async () => {
    const { collateralAmount } = await life.liquidation(market, 1n)
    const before = await held(recipient)
    const rest = `${(collateralAmount - units(300)) / 10n ** 18n}.${((collateralAmount - units(300)) % 10n ** 18n).toString().padStart(18, '0')}`
    let remaining = collateralAmount
    for (const amount of ['100', '200', rest]) {
      const txHash = await life.signAll(await withdraw({ amount }))
      const confirmed = must(await withdraw({ amount, txHash })).body.data
      remaining -= BigInt(confirmed.amountRaw)
      expect(confirmed).toMatchObject({ liquidationId: '1', txHash, recipient, marketId: market.marketId })
      expect(must(await withdraw({ amount, txHash })).body.data).toEqual(confirmed)
      expect((await life.liquidation(market, 1n)).collateralRemaining).toBe(remaining)
    }
    expect(remaining).toBe(0n)
    expect((await held(recipient)) - before).toBe(collateralAmount)
    const over = refusal(await withdraw({ amount: '1' }), 400, 'VALIDATION_ERROR')
    expect(over.details).toEqual([{ field: 'amount', message: 'is more than the 0 that the router holds' }])
    const recorded = await world.superuser`
      select count(*)::int as n from recordings where operation = 'router.CollateralWithdrawnForSale'`
    expect(recorded).toEqual([{ n: 3 }])
  })

  it('refuses amounts and recipients that are none', async () => {
    for (const amount of ['0', '-1', 'abc', '1e3', '', '0.0000000000000000001', '1,5'])
      for (const leg of [{}, { txHash: HASH }]) {
        const { details } = refusal(await withdraw({ amount, ...leg }), 400, 'VALIDATION_ERROR')
        expect(details.map(({ field }: { field: string }) => field)).toEqual(['amount'])
      }
    for (const leg of [{}, { txHash: HASH }]) {
      refusal(await withdraw({ ...leg }), 400, 'VALIDATION_ERROR')
      refusal(await withdraw({ amount: 5, ...leg }), 400, 'VALIDATION_ERROR')
      for (const recipientAddress of ['0x12', WRONG_CHECKSUM])
        refusal(await withdraw({ amount: '1', recipientAddress, ...leg }), 400, 'VALIDATION_ERROR')
    }
  })

  it('goes to nobody else than the sale recipient', async () => {
    const two = await life.seized(market, { borrower: wallet(4) })
    const body = { amount: '1', recipientAddress: wallet(5).address }
    const error = refusal(await withdraw(body, two.id), 400, 'RECIPIENT_FIXED')
    expect(error.saleRecipient).toBe(recipient)
    const txHash = await life.signAll(await withdraw({ amount: '1' }, two.id))
    expect(refusal(await withdraw({ ...body, txHash }, two.id), 400, 'RECIPIENT_FIXED').saleRecipient).toBe(recipient)
    must(await withdraw({ amount: '1', recipientAddress: recipient, txHash }, two.id))
    // Another liquidation's tranche proves nothing.
    refusal(await withdraw({ amount: '1', txHash }), 400, 'TX_NOT_VERIFIED')
  })

  it('says who must grant the role when no wallet holds it, and builds once it is granted', async () => {
    const operator = wallet(6)
    const build = () => life.withWallet(operator.address, () => withdraw({ amount: '1' }, 2n))
    const { calldata } = refusal(await build(), 400, 'ROUTER_OPERATOR_ROLE_MISSING')
    expect(Object.keys(calldata).sort()).toEqual(['data', 'description', 'to'])
    await world.sendRaw(world.deployer.wallet, calldata)
    const built = await build()
    expect(must(built).body.data).toMatchObject({
      signer: operator.address.toLowerCase(),
      simulation: { success: true },
    })
    const txHash = await life.signAll(built, operator)
    must(await withdraw({ amount: '1', txHash }, 2n))
  })

  it('is confirmed through a Safe by the event of the router', async () => {
    const safe = await deploySafe(world.node, [wallet(9)])
    await life.call(market.router, abis.router, 'grantRole', [OPERATOR_ROLE, safe.address])
    const { transaction } = must(await withdraw({ amount: '2' }, 2n)).body.data
    const { receipt } = await safe.execThroughSafe(transaction)
    const confirmed = must(await withdraw({ amount: '2', txHash: receipt.transactionHash }, 2n)).body.data
    expect(confirmed).toMatchObject({ verifiedBy: 'receipt-log', amount: '2' })
    const failed = await safe.execThroughSafe({
      ...transaction,
      data: `${transaction.data.slice(0, -64)}${'f'.repeat(64)}`,
    })
    expect(failed.innerSucceeded).toBe(false)
    const txHash = failed.receipt.transactionHash
    const error = refusal(await withdraw({ amount: '2', txHash }, 2n), 400, 'WITHDRAW_TX_REVERTED')
    expect([error.txHash, error.message]).toEqual([txHash, expect.stringContaining('inside it failed')])
  })

  it('has nobody to go to before a lender of record designates one', async () => {
    const pending = await world.deployMarket({ borrowAssetAddress: await world.createCash('PEND') })
    const body = { amount: '1', marketId: pending.marketId }
    refusal(await withdraw(body, 1n), 400, 'SALE_RECIPIENT_NOT_SET')
    refusal(await withdraw({ ...body, txHash: HASH }, 1n), 404, 'LIQUIDATION_NOT_FOUND')
  })

  it('tells from the token why it refuses the transfer', async () => {
    const { token, registry } = world.security
    const code = async () => {
      const error = refusal(await withdraw({ amount: '1' }, 2n), 400, 'SALE_RECIPIENT_TRANSFER_RESTRICTED')
      expect(error.saleRecipient).toBe(recipient)
      return error.saleDeliveryCode
    }
    const on = (functionName: string, ...args: unknown[]) => life.call(token, demoSecurityAbi, functionName, args)
    await on('setAddressFrozen', recipient, true)
    expect(await code()).toBe(4)
    await on('setAddressFrozen', recipient, false)
    await on('setAddressFrozen', market.router, true)
    expect(await code()).toBe(3)
    await on('setAddressFrozen', market.router, false)
    const { collateralRemaining } = await life.liquidation(market, 2n)
    await on('freezePartialTokens', market.router, collateralRemaining)
    expect(await code()).toBe(7)
    await on('unfreezePartialTokens', market.router, collateralRemaining)
    await on('pause')
    expect(await code()).toBe(6)
    await on('unpause')
    await life.call(registry, demoIdentityRegistryAbi, 'deleteIdentity', [recipient])
    expect(await code()).toBe(2)
    await life.call(registry, demoIdentityRegistryAbi, 'registerIdentity', [recipient, recipient, 276])
    must(await withdraw({ amount: '1' }, 2n))
  })

  describe('of a T-REX token', () => {
    let trex: Trex
    let trexMarket: LiveMarket

    beforeAll(async () => {
      trex = await deployTrex(world.node, { symbol: 'TRX' })
      await world.importToken(world.deployer, trex.token)
      trexMarket = await life.adopted(
        { collateralTokenAddress: trex.token },
        { terms: { saleRecipient: wallet(5).address } },
      )
      await trex.addAgent(trexMarket.adapter)
      for (const holder of [trexMarket.router, wallet(3).address]) await trex.registerHolder(holder)
      await life.fund(trexMarket, 500_000)
      await trex.mint(wallet(3).address, units(1_000))
      await life.travelFresh(trexMarket, 1)
      const args = [units(1_000), units(70_000, 6), noPrice]
      await life.call(trexMarket.marketAddress, abis.market, 'openLoan', args, wallet(3))
      await life.priceTo(trexMarket, units(80, 6))
      await life.seize(trexMarket, 1n)
    })

    it('is refused until the recipient is a verified holder', async () => {
      const body = { amount: '1', marketId: trexMarket.marketId }
      const error = refusal(await withdraw(body, 1n), 400, 'SALE_RECIPIENT_TRANSFER_RESTRICTED')
      expect(error).toMatchObject({ saleRecipient: wallet(5).address.toLowerCase(), saleDeliveryCode: 2 })
      await trex.registerHolder(wallet(5).address)
      const txHash = await life.signAll(await withdraw(body, 1n))
      must(await withdraw({ ...body, txHash }, 1n))
      const balance = { address: trex.token, abi: trexTokenAbi, functionName: 'balanceOf' } as const
      expect(await world.node.publicClient.readContract({ ...balance, args: [wallet(5).address] })).toBe(units(1))
      await send(world.node, { address: trex.token, abi: trexTokenAbi, functionName: 'pause' })
      expect(refusal(await withdraw(body, 1n), 400, 'SALE_RECIPIENT_TRANSFER_RESTRICTED').saleDeliveryCode).toBe(6)
    })
  })
})
