import { deploySafe, send, wallet } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, wrappedSnapshot } from '../../../test/lending/setting-faults.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const second = wallet(8)

describe('changing the operator wallet', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  let own: string

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    own = world.deployer.wallet.address.toLowerCase()
    await addWallet(second.address)
  })
  afterAll(() => world.close())

  const addWallet = (address: string) => world.superuser`
    insert into wallets (instance_id, address, is_primary, verified_by, verified_at)
    values (${world.deployer.instanceId}, ${address.toLowerCase()}, false, 'ERC1271', now())`
  const post = (body: unknown, marketId = market.marketId) =>
    world.deployer.post(`${V2}/markets/${marketId}/operator-wallet`, body)
  const change = (newRecipient: string) =>
    send(world.node, {
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'setOperatorFeeRecipient',
      args: [newRecipient],
    })

  it('refuses wallets that are not of the instance, or not the operator', async () => {
    expectRefusal(await post({}), 400, 'VALIDATION_ERROR')
    expectRefusal(await post({ newRecipient: second.address, other: 1 }), 400, 'VALIDATION_ERROR')
    expectRefusal(await post({ newRecipient: `0x${'0'.repeat(40)}` }), 400, 'INVALID_WALLET')
    expectRefusal(await post({ newRecipient: 'x' }), 400, 'INVALID_WALLET')
    expectRefusal(await post({ newRecipient: wallet(5).address }), 403, 'WALLET_NOT_VERIFIED')
    expectRefusal(await post({ newRecipient: own }), 409, 'WALLET_UNCHANGED')
    const other = { newRecipient: second.address, signerAddress: second.address }
    expectRefusal(await post(other), 403, 'NOT_OPERATOR_WALLET')
    const foreign = await life.adopted(
      { borrowAssetAddress: await world.createCash('FORE') },
      { curator: world.lender.wallet },
    )
    expectRefusal(await post({ newRecipient: second.address }, foreign.marketId), 403, 'NOT_OPERATOR_INSTANCE')
    const { marketId } = await world.deployMarket({ borrowAssetAddress: await world.createCash('SEEK') })
    expectRefusal(await post({ newRecipient: second.address }, marketId), 409, 'MARKET_NOT_ADOPTED')
  })

  it('says when the market cannot be read', async () => {
    const build = () => post({ newRecipient: second.address })
    const lost = await world.withoutNode(build)
    expect(expectRefusal(lost, 503, 'MARKET_STATE_UNAVAILABLE').headers['retry-after']).toBe('1')
    expectRefusal(await world.withBroken(market.marketAddress, build), 503, 'MARKET_STATE_UNAVAILABLE')
  })

  it('confirms nothing that the transaction does not show', async () => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => post({ txHash }),
      target: market.marketAddress,
      other: { abi: abis.market, functionName: 'pokeSnapshot' },
    })
    expectRefusal(await post({ txHash: '0x12' }), 400, 'VALIDATION_ERROR')
    const txHash = await wrappedSnapshot(world, market.marketAddress)
    expectRefusal(await post({ txHash, newRecipient: 'x' }), 400, 'VALIDATION_ERROR')
    expectRefusal(await post({ txHash }), 400, 'TX_NOT_VERIFIED')
    expectRefusal(await world.withoutNode(() => post({ txHash })), 503, 'CHAIN_UNAVAILABLE')
    // The adoption says by the same event who the first operator is.
    const [adoption] = await world.node.publicClient.getContractEvents({
      address: world.suite.factory,
      abi: abis.factory,
      eventName: 'CuratorAccepted',
      args: { market: market.marketAddress },
      fromBlock: 0n,
    })
    expectRefusal(await post({ txHash: adoption?.transactionHash as Hex }), 400, 'TX_NOT_VERIFIED')
  })

  it('builds, signs and records it', async () => {
    const built = must(await post({ newRecipient: second.address, signerAddress: world.deployer.wallet.address }))
    expect(built.body.data).toMatchObject({
      functionName: 'setOperatorFeeRecipient',
      marketAddress: market.marketAddress,
      requiredSigner: own,
      previous: own,
      newRecipient: second.address.toLowerCase(),
      simulation: { success: true },
      confirmWith: { endpoint: `${V2}/markets/${market.marketId}/operator-wallet`, field: 'txHash' },
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    expect(must(await post({ txHash })).body.data).toEqual({
      txHash,
      signedBy: own,
      previous: own,
      operatorWallet: second.address.toLowerCase(),
    })
    expectRefusal(await post({ txHash, newRecipient: own }), 400, 'TX_NOT_VERIFIED')
    await world.follow()
    const operator = must(await world.deployer.get(`${V2}/markets/${market.marketId}/operator`)).body.data
    expect(operator).toMatchObject({
      operator: { wallet: second.address.toLowerCase(), lenderOfRecord: own },
      actions: [{ txType: 'OPERATOR_WALLET_SET', userAddress: own }, { txType: 'CURATOR_ACCEPTED' }],
    })
  })

  it('takes a change that a Safe made', async () => {
    const safe = await deploySafe(world.node, [wallet(3)])
    await send(world.node, {
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'setOperatorFeeRecipient',
      args: [safe.address],
      account: second,
    })
    await addWallet(safe.address)
    const built = must(await post({ newRecipient: own }))
    expect(built.body.data.requiredSigner).toBe(safe.address.toLowerCase())
    const { receipt } = await safe.execThroughSafe(built.body.data.transaction)
    expect(must(await post({ txHash: receipt.transactionHash })).body.data).toMatchObject({
      verifiedBy: 'receipt-log',
      previous: safe.address.toLowerCase(),
      operatorWallet: own,
    })
    await expect(change(second.address)).resolves.toBeDefined()
  })
})
