import { deploySafe, send, wallet } from '@tallystick/testkit'
import { type Address, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuratorSteps, termsOf } from '../../../test/lending/curator-steps.ts'
import { must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import { allRolesTo } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

describe('confirming an adoption', () => {
  let world: ProxiedWorld
  let steps: ReturnType<typeof createCuratorSteps>
  let lender: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    steps = createCuratorSteps(world)
    lender = world.lender.wallet.address.toLowerCase() as Address
    await steps.verify(lender)
  })
  afterAll(() => world.close())

  const confirm = (market: Address, txHash: Hex, party: Party = world.lender) =>
    party.post(`${V2}/markets/queued/${market}/confirm-accept`, { txHash })
  const adoptOnChain = async (market: Address, account = world.lender.wallet): Promise<Hex> => {
    const args = [market, allRolesTo(account.address), zeroHash]
    const call = { address: world.suite.factory, abi: abis.factory, functionName: 'acceptCuratorRole', args, account }
    return (await send(world.node, call)).transactionHash
  }

  it('records the market on the adopting instance, under an id of its own', async () => {
    const { marketId, marketAddress } = await steps.seeking()
    const { assetData } = must(await world.lender.get(`${V2}/markets/queued/${marketAddress}/details`)).body.data
    const request = { acknowledgeAssetData: undefined, assetDataHash: assetData.attested, liquidityCommitment: '5' }
    const adopted = await steps.adopt(world.lender, marketAddress, request)
    expect(adopted.market).toMatchObject({
      marketAddress,
      origin: 'ADOPTED',
      collateralTokenIsin: 'DE000A1EWWW0',
      seekingCurator: false,
      curator: lender,
      realizationMode: 'ISSUER_REDEMPTION',
      liquidityCommitment: '5000000',
      saleRecipient: lender,
      collateralAgent: lender,
      liquidationOperator: lender,
      operatorShare: '800',
      curatorAcceptTxHash: adopted.txHash,
      curatorImported: true,
    })
    expect(adopted).toMatchObject({
      curator: lender,
      handover: { readable: true, stage: 'COMPLETE', complete: true, nothingPending: true },
      assetData: { contentHash: assetData.attested, version: 1, curator: lender },
    })
    expect(adopted).not.toHaveProperty('verifiedBy')
    const { id } = adopted.market
    expect(id).not.toBe(marketId)
    const again = must(await confirm(marketAddress, adopted.txHash)).body.data
    expect(again.market.id).toBe(id)
    const { block_time } = (
      await world.superuser`select block_time from chain_logs where tx_hash = ${adopted.txHash} limit 1`
    )[0] as { block_time: bigint }
    expect(new Date(again.market.curatorAcceptedAt).getTime()).toBe(Number(block_time) * 1000)

    const got = must(await world.lender.get(`${V2}/markets/${id}`)).body.data
    expect(got).toMatchObject({ id, origin: 'ADOPTED', onChain: { curator: lender, seekingCurator: false } })
    expect(must(await world.deployer.get(`${V2}/markets/${marketId}`)).body.data.onChain.curator).toBe(lender)
    await world.follow()
    const facts = await world.superuser`
      select 1 from chain_facts where subject = ${marketAddress} and operation = 'market.MarketAdopted'`
    expect(facts).toHaveLength(1)
  })

  it('keeps the record of an instance that had deployed the market itself', async () => {
    await world.operator.approveLender(world.deployer.instanceId, true)
    const own = world.deployer.wallet.address
    await steps.verify(own)
    const { marketId, marketAddress } = await steps.seeking({ candidates: [own] })
    const adopted = await steps.adopt(world.deployer, marketAddress)
    expect(adopted).toMatchObject({
      market: { id: marketId, origin: 'DEPLOYED', curatorImported: false },
      assetData: null,
    })
  })

  it('takes a market that nobody recorded here, with its history from the first block', async () => {
    const market = await steps.deployElsewhere(wallet(6), { candidates: [lender] })
    for (let turn = 0; turn < 5; turn++) await world.node.testClient.mine({ blocks: 1, interval: 7 })
    const adopted = await steps.adopt(world.lender, market)
    expect(adopted.market).toMatchObject({
      marketAddress: market,
      origin: 'ADOPTED',
      marketDeployer: wallet(6).address.toLowerCase(),
      collateralTokenSymbol: 'NORD',
      borrowAssetSymbol: 'USDX',
    })
    await world.follow()
    const prices = await world.superuser`
      select effect from chain_live_facts where subject = ${adopted.market.oracleAddress} and operation = 'oracle.PriceUpdated'`
    expect(prices).toHaveLength(1)
    expect(must(await world.lender.get(`${V2}/markets/${adopted.market.id}`)).body.data.onChain.isOnChain).toBe(true)
  })

  it('proves an adoption through a Safe by its event', async () => {
    const safe = await deploySafe(world.node, [wallet(3), wallet(4)])
    const { marketAddress } = await steps.seeking({ candidates: [safe.address] })
    const party = await world.createParty(wallet(3), { lenderApproved: true })
    const address = safe.address.toLowerCase()
    await world.superuser`
      insert into wallets (instance_id, address, is_primary, verified_by, verified_at)
      values (${party.instanceId}, ${address}, false, 'ERC1271', now())`
    const built = must(await steps.accept(party, marketAddress, termsOf(safe.address, { saleRecipient: lender })))
    expect(built.body.data.signer).toBe(address)
    const { receipt } = await safe.execThroughSafe(built.body.data.transaction)
    const { data } = must(await confirm(marketAddress, receipt.transactionHash, party)).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', curator: address, market: { curator: address } })
  })

  it('refuses the adoption of somebody else', async () => {
    const { marketAddress } = await steps.seeking({ candidates: [wallet(5).address] })
    const txHash = await adoptOnChain(marketAddress, wallet(5))
    expectRefusal(await confirm(marketAddress, txHash), 403, 'ACCEPT_NOT_INSTANCE_BOUND')
    expectRefusal(await confirm(marketAddress, txHash, world.outsider), 403, 'CURATOR_NOT_APPROVED')
    expectRefusal(await confirm(world.security.token, txHash), 404, 'MARKET_NOT_V2')
    expectRefusal(await confirm('0x12', txHash), 400, 'VALIDATION_ERROR')
    expectRefusal(await confirm(marketAddress, '0x12'), 400, 'VALIDATION_ERROR')
    const records =
      await world.superuser`select 1 from market_records where market_address = ${marketAddress} and origin = 'ADOPTED'`
    expect(records).toHaveLength(0)
  })

  it('refuses every transaction that does not show it', async () => {
    const { marketAddress } = await steps.seeking()
    await expectTransactionFaults(world, {
      confirm: (txHash) => confirm(marketAddress, txHash),
      target: world.suite.factory,
      other: {
        abi: abis.factory,
        functionName: 'nominateCurator',
        args: [marketAddress, wallet(7).address],
      },
    })
    const other = await steps.seeking()
    const txHash = await adoptOnChain(other.marketAddress)
    expectRefusal(await confirm(marketAddress, txHash), 400, 'TX_NOT_VERIFIED')
    expectRefusal(await world.withoutNode(() => confirm(marketAddress, txHash)), 503, 'CHAIN_UNAVAILABLE')
  })

  it('records nothing while the market cannot be read, or the factory is not known', async () => {
    const market = await steps.deployElsewhere(wallet(6), { candidates: [lender] })
    const txHash = await adoptOnChain(market)
    const broken = await world.withBroken(world.cash, () => confirm(market, txHash))
    expect(expectRefusal(broken, 503, 'DEPLOYMENT_UNREADABLE').headers['retry-after']).toBe('1')
    expect(await world.superuser`select 1 from lending_markets where market_address = ${market}`).toHaveLength(0)
    must(await confirm(market, txHash))
    await world.superuser`delete from deployed_contracts`
    expectRefusal(await confirm(market, txHash), 503, 'LENDING_NOT_CONFIGURED')
  })
})
