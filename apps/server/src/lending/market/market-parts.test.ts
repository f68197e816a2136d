import { dutchAuctionVenueAbi, dutchAuctionVenueBytecode } from '@tallystick/abi'
import { deploy } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuratorSteps } from '../../../test/lending/curator-steps.ts'
import { createFeesLife } from '../../../test/lending/fees-life.ts'
import { createLendingWorld, type LendingWorld, type Party, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createVenue } from '../../../test/lending/setup-helpers.ts'
import { callKinds, projections } from '../../features.ts'
import { rebuild } from '../../writes/index.ts'
import { abis } from '../contracts.ts'

describe('contracts that a market takes up after its deployment', () => {
  let world: LendingWorld
  let life: ReturnType<typeof createFeesLife>
  let market: LiveMarket
  let lenderRecord: string

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createFeesLife(world)
    const steps = createCuratorSteps(world)
    const { marketId, marketAddress } = await steps.seeking()
    await steps.verify(world.lender.wallet.address)
    const adopted = await steps.adopt(world.lender, marketAddress)
    lenderRecord = adopted.market.id
    market = await life.partsOf(marketId, marketAddress)
  })
  afterAll(() => world.close())

  const readersOf = async (address: Address) => {
    const rows = await world.superuser`select instance_id from contract_access where address = ${address} order by 1`
    return rows.map(({ instance_id }) => instance_id)
  }
  const parties = (...some: Party[]) => some.map(({ instanceId }) => instanceId).toSorted()
  const watched = async (address: Address) => {
    const [row] = await world.superuser`select kind, scanned_to from watched_contracts where address = ${address}`
    return row
  }

  it('are followed from the block that names them, for everybody who reads the market', async () => {
    const venue = await createVenue(world, world.lender, lenderRecord)
    const { blockNumber } = await life.call(
      market.marketAddress,
      abis.market,
      'setAuctionModule',
      [venue],
      world.lender.wallet,
    )
    expect(await watched(venue)).toBeUndefined()
    await world.follow()
    // Nobody confirmed anything.
    expect(await watched(venue)).toEqual({ kind: 'venue', scanned_to: (blockNumber - 1n).toString() })
    expect(await readersOf(venue)).toEqual(parties(world.deployer, world.lender))
    await world.follow()
    expect(BigInt((await watched(venue))?.scanned_to)).toBeGreaterThanOrEqual(blockNumber)
  })

  it('are opened by a confirmation at once, to both instances', async () => {
    const venue = await createVenueOf()
    const { transactionHash: txHash } = await life.call(
      market.marketAddress,
      abis.market,
      'setAuctionModule',
      [venue],
      world.lender.wallet,
    )
    const path = `${V2}/markets/${lenderRecord}/auction-module`
    expect((await world.lender.post(path, { txHash, moduleAddress: venue })).status).toBe(200)
    expect(await watched(venue)).toMatchObject({ kind: 'venue' })
    expect(await readersOf(venue)).toEqual(parties(world.deployer, world.lender))
  })

  it('are a fund of another market too, but never something that is known as another thing', async () => {
    const other = await world.deployMarket({ borrowAssetAddress: await cashOf(market), mode: 'CUSTODY' })
    const elsewhere = await life.partsOf(other.marketId, other.marketAddress)
    const name = (fund: Address) =>
      life.call(market.marketAddress, abis.market, 'setInsuranceFund', [fund], world.lender.wallet)
    await name(elsewhere.fund)
    await world.follow()
    expect(await readersOf(elsewhere.fund)).toEqual(parties(world.deployer, world.lender))

    // A vault answers like a fund as far as the market looks. It is somebody else's, and known as a vault.
    const vault = await life.vault(0, { asset: await cashOf(market) })
    await world.superuser`insert into watched_contracts values (${world.node.chainId}, ${vault}, 'vault', 0)`
    await name(vault)
    await world.follow()
    expect(await watched(vault)).toMatchObject({ kind: 'vault' })
    expect(await readersOf(vault)).toEqual([])
    await name(market.fund)
  })

  it('are open to whoever comes to the market later', async () => {
    const [row] = await world.superuser`select part from contract_parts where whole = ${market.marketAddress} limit 1`
    const part: Address = row?.part
    expect(await readersOf(part)).not.toContain(world.outsider.instanceId)
    // The same wallet, registered by another instance: the chain names it as lender of record.
    const late = await world.createParty(world.lender.wallet)
    const answer = await late.get(`${V2}/markets/${market.marketAddress}/asset-data`)
    expect(answer.status).toBe(200)
    expect(await readersOf(part)).toContain(late.instanceId)
  })

  it('stay the same when everything is derived anew', async () => {
    const state = () => world.superuser`select whole, part from contract_parts order by 1, 2`
    const before = [...(await state())]
    expect(before.length).toBeGreaterThan(1)
    await rebuild(world.database, { kinds: callKinds, projections })
    expect([...(await state())]).toEqual(before)
    await world.superuser`delete from contract_parts`
    await rebuild(world.database, { kinds: callKinds, projections })
    expect([...(await state())]).toEqual(before)
  })

  it('are parts no longer when a reorganization takes the event away', async () => {
    const { testClient } = world.node
    const snapshot = await testClient.snapshot()
    const venue = await createVenueOf()
    await life.call(market.marketAddress, abis.market, 'setAuctionModule', [venue], world.lender.wallet)
    await world.follow()
    const parts = async () => {
      const rows = await world.superuser`select part from contract_parts where whole = ${market.marketAddress}`
      return rows.map(({ part }) => part)
    }
    expect(await parts()).toContain(venue)
    await testClient.revert({ id: snapshot })
    await testClient.mine({ blocks: 5 })
    await world.follow()
    expect(await parts()).not.toContain(venue)
  })

  const cashOf = async ({ marketAddress }: LiveMarket) =>
    (await life.read<{ asset: Address }>(marketAddress, abis.market, 'parts')).asset.toLowerCase() as Address

  /** Any number of venues fit a market; the route creates the first one only. */
  async function createVenueOf(): Promise<Address> {
    const args = [market.marketAddress, world.security.token, await cashOf(market), 10n ** 18n]
    const code = { abi: dutchAuctionVenueAbi, bytecode: dutchAuctionVenueBytecode }
    return (await deploy(world.node, { ...code, args })).toLowerCase() as Address
  }
})
