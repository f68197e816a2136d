import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

describe('pushing a price', () => {
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    await world.follow()
  })
  afterAll(() => world.close())
  // The oracle takes only prices of a later second.
  beforeEach(() => createMarketLife(world).travel(2))

  const path = (id = market.marketId) => `${V2}/markets/${id}/sync-oracle`
  const sync = (body: Record<string, unknown>) => world.deployer.post(path(), body)
  const refused = async (body: Record<string, unknown>) => {
    const answer = await sync(body)
    return [answer.status, answer.body.error?.code]
  }
  const priceOnChain = () =>
    world.node.publicClient.readContract({ address: market.oracle, abi: abis.oracle, functionName: 'price' })

  it('builds what the signer sends, and proves that the oracle holds the price', async () => {
    const built = must(await sync({ price: '104.82' }))
    expect(built.body.data).toMatchObject({
      success: true,
      action: 'SIGN_TRANSACTION',
      functionName: 'updatePrice',
      transaction: { to: market.oracle, value: '0', chainId: 31337 },
      simulation: { simulated: true, success: true },
      signer: world.deployer.wallet.address.toLowerCase(),
      previousPrice: '100',
      newPrice: '104.82',
      confirmWith: { endpoint: path(), field: 'txHash', body: { price: '104.82', txHash: null } },
    })
    expect(built.body.data).not.toHaveProperty('attestationId')
    const txHash = await world.sign(world.deployer.wallet, built)
    const confirmed = must(await sync({ price: '104.82', txHash })).body.data
    expect(confirmed).toEqual({
      txHash,
      previousPrice: '100',
      newPrice: '104.82',
      updater: world.deployer.wallet.address.toLowerCase(),
    })
    expect(await priceOnChain()).toBe(104_820_000n)
    expect(must(await sync({ price: '104.82', txHash })).body.data).toEqual(confirmed)
    expect(await refused({ price: '104.83', txHash })).toEqual([400, 'TX_NOT_VERIFIED'])
  })

  it('hands the call out as a file for a Safe', async () => {
    const file = await world.deployer.post(`${path()}?format=safe`, { price: '101' })
    expect(file.body.transactions).toMatchObject([{ to: market.oracle, value: '0' }])
  })

  it('takes a price that is a positive decimal of the borrow asset, and no other', async () => {
    for (const price of ['0', '0.000000', '-1', '', ' 1', '1e2', 'abc', 100, 104.82, null, true])
      expect([price, ...(await refused({ price }))]).toEqual([price, 400, 'MISSING_PRICE'])
    expect(await refused({})).toEqual([400, 'MISSING_PRICE'])
    expect(await refused({ price: '100.0000001' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await refused({ price: '20282409603651670423947251.286016' })).toEqual([400, 'VALIDATION_ERROR'])
    const txHash = `0x${'1'.repeat(64)}`
    expect(await refused({ price: '0', txHash })).toEqual([400, 'MISSING_PRICE'])
    expect(await refused({ price: '1', txHash: '0x12' })).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('refuses a wallet that is no signer, and a step that the oracle would not take', async () => {
    const stranger = await sync({ price: '105', signerAddress: wallet(7).address })
    expect([stranger.status, stranger.body.error]).toMatchObject([
      403,
      { code: 'SIGNER_NOT_AUTHORIZED', signerAddress: wallet(7).address.toLowerCase() },
    ])
    const wrongCase = `0x${wallet(7)
      .address.slice(2)
      .toLowerCase()
      .replace(/[a-f]/, (letter) => letter.toUpperCase())}`
    expect(await refused({ price: '105', signerAddress: wrongCase })).toEqual([400, 'VALIDATION_ERROR'])
    for (const price of ['157.230001', '52.409999']) {
      const far = await sync({ price })
      expect([far.status, far.body.error]).toMatchObject([
        400,
        { code: 'PRICE_DEVIATION_TOO_LARGE', currentPrice: '104.82', maxDeviationBps: 5000 },
      ])
    }
    // 50 % of the stored price is allowed as a step, but the hour opened at 100.
    const { simulation } = must(await sync({ price: '157.23' })).body.data
    expect(simulation).toMatchObject({ success: false, revert: { error: 'PriceWindowDeviationTooLarge' } })
    must(await sync({ price: '52.41' }))
  })

  it('says that nobody can sign when the market is not adopted and the instance has no wallet', async () => {
    const bare = await world.createParty(wallet(9))
    const imported = await world.createSecurity('BARE')
    await world.importToken(bare, imported.token)
    const body = world.deployBody({ collateralTokenAddress: imported.token })
    const built = must(await bare.post(`${V2}/markets/deploy`, body))
    const txHash = await world.sign(bare.wallet, built)
    must(await bare.post(`${V2}/markets/deploy`, { collateralTokenAddress: imported.token, txHash }))
    const own = built.body.data.marketId
    const pending = await bare.post(path(own), { price: '100' })
    expect([pending.status, pending.body.error.code]).toEqual([403, 'SIGNER_NOT_AUTHORIZED'])
    must(await bare.call('DELETE', `/access/api/wallets/${bare.wallet.address}`))
    for (const route of ['sync-oracle', 'sign-price']) {
      const nobody = await bare.post(`${V2}/markets/${own}/${route}`, { price: '100' })
      expect([nobody.status, nobody.body.error.code]).toEqual([400, 'WALLET_NOT_CONFIGURED'])
    }
  })

  it('confirms nothing that does not prove the price', async () => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => sync({ price: '104.82', txHash }),
      target: market.oracle,
      other: { abi: abis.oracle, functionName: 'setMaxPriceAge', args: [86_400n] },
    })
  })

  it('confirms a price that a Safe pushed', async () => {
    const safe = await deploySafe(world.node, [wallet(3), wallet(4)])
    await life.call(market.oracle, abis.oracle, 'setAuthorizedSigner', [safe.address, true])
    const built = must(await sync({ price: '110', signerAddress: safe.address })).body.data
    expect(built.simulation.success).toBe(true)
    const call = built.transaction as { to: Address; data: Hex }
    const { receipt } = await safe.execThroughSafe(call)
    const txHash = receipt.transactionHash
    expect(must(await sync({ price: '110', txHash })).body.data).toEqual({
      txHash,
      previousPrice: '104.82',
      newPrice: '110',
      updater: safe.address.toLowerCase(),
      verifiedBy: 'receipt-log',
    })
    expect(await refused({ price: '111', txHash })).toEqual([400, 'TX_NOT_VERIFIED'])
    const failed = await safe.execThroughSafe(call, { failInner: true })
    expect(await refused({ price: '110', txHash: failed.receipt.transactionHash })).toEqual([400, 'TX_REVERTED'])
  })

  it('goes to the signer whom the lender named last, when none is named', async () => {
    const named = wallet(6).address
    await life.call(market.oracle, abis.oracle, 'setAuthorizedSigner', [named, true])
    await world.follow()
    expect(must(await sync({ price: '111' })).body.data.signer).toBe(named.toLowerCase())
    await life.call(market.oracle, abis.oracle, 'setAuthorizedSigner', [named, false])
    await world.follow()
    expect(must(await sync({ price: '111' })).body.data.signer).not.toBe(named.toLowerCase())
    const data = encodeFunctionData({ abi: abis.oracle, functionName: 'updatePrice', args: [111_000_000n] })
    expect(must(await sync({ price: '111' })).body.data.transaction.data).toBe(data)
  })
})
