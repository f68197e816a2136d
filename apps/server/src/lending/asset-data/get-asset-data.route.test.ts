import { unattestingFactoryAbi, unattestingFactoryBytecode } from '@tallystick/abi/testing'
import { type CountingRpc, countingRpc, wallet } from '@tallystick/testkit'
import { type Address, type Hex, keccak256, toBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AssetDataSteps,
  assetDataPath,
  createAssetDataSteps,
  refused,
} from '../../../test/lending/asset-data-steps.ts'
import { createLendingWorld, type LendingWorld, must, type Party } from '../../../test/lending/lending-world.ts'

describe('reading asset data', () => {
  let rpc: CountingRpc
  let world: LendingWorld
  let steps: AssetDataSteps
  let market: Address
  let deployTx: Hex
  const bank = wallet(4)

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        rpc = await countingRpc(node.url)
        return [rpc.url]
      },
    })
    steps = createAssetDataSteps(world)
    const deployed = await world.deployMarket()
    market = deployed.marketAddress
    deployTx = deployed.txHash
  })
  afterAll(async () => {
    await world.close()
    await rpc.stop()
  })

  const bundle = (party: Party, query = '', address = market) => party.get(assetDataPath(address, `/bundle${query}`))

  describe('what stands', () => {
    it('shows the attestation of the deployment, who may follow it up, and that the profile still says the same', async () => {
      rpc.reset()
      const state = await steps.state(world.deployer, market)
      expect(rpc.counts.roundTrips).toBe(1)
      const attestor = world.deployer.wallet.address.toLowerCase()
      const { attested: contentHash, attestedAt } = state.record
      expect(state).toEqual({
        marketAddress: market,
        family: 'FUNGIBLE',
        factory: world.suite.factory,
        factorySupport: true,
        status: 'ATTESTED',
        record: {
          attested: contentHash,
          acknowledged: null,
          attestor,
          version: 1,
          attestedAt: expect.any(Number),
          acknowledgedAt: null,
          diverged: true,
        },
        diverged: true,
        attested: {
          contentHash,
          version: 1,
          attestor,
          attestedAt: new Date(attestedAt * 1000).toISOString(),
          txHash: deployTx,
          schemaVersion: '1.0.0',
          bundleAvailable: true,
          storedAt: expect.any(String),
        },
        acknowledged: null,
        authority: { attestor, attestorRole: 'DEPLOYER', acknowledgers: [], seekingCurator: true },
        viewer: { wallets: [attestor], canAttest: true, canAcknowledge: false },
        profile: {
          available: true,
          currentHash: contentHash,
          changedSinceAttestation: false,
          schemaVersion: '1.0.0',
        },
        origin: 'OWN',
      })
      await world.follow()
      expect((await steps.state(world.deployer, market)).attested.txHash).toBe(deployTx)
    })

    it('tells when the profile moved on, or is gone', async () => {
      const { token } = world.security
      await steps.publish(world.deployer, token, { issuerName: 'Somebody else' })
      const moved = (await steps.state(world.deployer, market)).profile
      expect(moved).toMatchObject({ available: true, changedSinceAttestation: true })
      await steps.publish(world.deployer, token, null)
      expect((await steps.state(world.deployer, market)).profile).toEqual({
        available: false,
        currentHash: null,
        changedSinceAttestation: null,
        reason: 'TOKEN_PROFILE_REQUIRED',
      })
      await steps.publish(world.deployer, token, { issuerName: 'Nordlicht Windpark GmbH' })
    })

    it('is NONE while nothing was ever attested', async () => {
      const silent = await steps.deployUnrecorded()
      const state = await steps.state(world.deployer, silent)
      expect(state).toMatchObject({
        status: 'NONE',
        attested: null,
        record: { version: 0, attested: null },
        origin: 'OWN',
      })
      refused(await bundle(world.deployer, '', silent), 404, 'ASSET_DATA_NONE')
    })

    it('has no record at a factory that predates attestation', async () => {
      const earlier = { abi: unattestingFactoryAbi, bytecode: unattestingFactoryBytecode }
      await steps.withFactory(earlier, async () => {
        const state = await steps.state(world.deployer, market)
        expect(state).toMatchObject({ factorySupport: false, status: null, record: null, diverged: null })
        refused(await bundle(world.deployer), 409, 'FACTORY_UPGRADE_REQUIRED')
      })
    })
  })

  describe('who may ask', () => {
    it('lets a nominee read what the deployer built, from the first request on', async () => {
      const state = await steps.state(world.lender, market)
      expect(state).toMatchObject({ origin: 'NOMINATED', attested: { bundleAvailable: true, txHash: deployTx } })
      expect(state.viewer).toMatchObject({ canAttest: false, canAcknowledge: false })
      expect(state.profile).toMatchObject({ available: false, reason: 'TOKEN_PROFILE_REQUIRED' })
      const { data } = must(await bundle(world.lender)).body
      expect(data).toMatchObject({ contentHash: state.record.attested, standing: true, acknowledged: false })
    })

    it('lets an approved lender at an open market, and at no other', async () => {
      const approved = await world.createParty(bank, { lenderApproved: true })
      const open = await world.deployMarket({ mode: 'CUSTODY', openToAnyCurator: true, candidates: [] })
      const shut = await steps.deployUnrecorded()
      expect((await steps.state(approved, open.marketAddress)).origin).toBe('OPEN')
      refused(await approved.get(assetDataPath(shut)), 404, 'MARKET_NOT_DEPLOYED')
      refused(await world.outsider.get(assetDataPath(open.marketAddress)), 404, 'MARKET_NOT_DEPLOYED')
    })

    it('hides a market from everybody else, as if it did not exist', async () => {
      const hidden = await world.outsider.get(assetDataPath(market))
      const none = await world.outsider.get(assetDataPath(world.cash))
      expect(refused(hidden, 404, 'MARKET_NOT_DEPLOYED')).toEqual(none.body.error)
      refused(await bundle(world.outsider), 404, 'MARKET_NOT_DEPLOYED')
    })

    it('serves no market on foreign collateral under the prefix for stocks', async () => {
      const path = assetDataPath(market).replace('lending-external-securities-v2', 'lending-stocks')
      for (const party of [world.deployer, world.lender]) refused(await party.get(path), 404, 'MARKET_NOT_DEPLOYED')
      await world.superuser`update lending_markets set is_own_stock = true where market_address = ${market}`
      expect(must(await world.deployer.get(path)).body.data.marketAddress).toBe(market)
    })
  })

  describe('the bytes', () => {
    it('are served with the hash they have, for what stands and for what stood', async () => {
      const { contentHash: second } = await steps.attest(world.deployer, market)
      rpc.reset()
      const { data } = must(await bundle(world.deployer)).body
      expect(rpc.counts.roundTrips).toBe(1)
      expect(keccak256(toBytes(data.canonicalJson))).toBe(second)
      expect(data).toMatchObject({
        marketAddress: market,
        contentHash: second,
        version: 2,
        standing: true,
        hashing: 'keccak256(utf8(canonicalJson))',
        verification: { rehash: second, matches: true },
      })
      expect(JSON.stringify(data.bundle)).toBe(data.canonicalJson)
      const { previousHash } = must(
        await world.deployer.post(assetDataPath(market, '/attest/confirm'), { txHash: deployTx }),
      ).body.data.attestation
      expect(previousHash).toBeNull()
      await world.follow()
      const facts = await world.superuser`
        select effect ->> 'contentHash' as hash from chain_facts
        where operation = 'factory.AssetDataAttested' and effect ->> 'version' = '1' and effect ->> 'market' = ${market}`
      const first = must(await bundle(world.lender, `?hash=${facts[0]?.hash.toUpperCase().replace('0X', '0x')}`)).body
        .data
      expect(first).toMatchObject({ contentHash: facts[0]?.hash, version: 1, standing: false })
    })

    it('are not found under a hash that was never built here', async () => {
      refused(await bundle(world.deployer, `?hash=${keccak256('0x02')}`), 404, 'SNAPSHOT_NOT_FOUND')
      const error = refused(await bundle(world.deployer, '?hash=0x02'), 400, 'VALIDATION_ERROR')
      expect(error).not.toHaveProperty('details')
      refused(await world.deployer.get(assetDataPath('0x02')), 400, 'VALIDATION_ERROR')
    })

    it('are not served when they were touched', async () => {
      const { record } = await steps.state(world.deployer, market)
      await world.superuser`
        update asset_bundles set canonical_json = replace(canonical_json, 'Nordlicht', 'Nordlichd')
        where content_hash = ${record.attested}`
      refused(await bundle(world.deployer), 409, 'SNAPSHOT_CORRUPT')
    })
  })
})
