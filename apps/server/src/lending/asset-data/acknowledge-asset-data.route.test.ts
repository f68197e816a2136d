import { lendingFactoryAbi } from '@tallystick/abi'
import { unattestingFactoryAbi, unattestingFactoryBytecode } from '@tallystick/abi/testing'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, type Hex, keccak256, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AssetDataSteps,
  assetDataPath,
  createAssetDataSteps,
  refused,
} from '../../../test/lending/asset-data-steps.ts'
import { createLendingWorld, type LendingWorld, must } from '../../../test/lending/lending-world.ts'
import { allRolesTo, createMarketLife, type MarketLife } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'

describe('acknowledging asset data', () => {
  let world: LendingWorld
  let life: MarketLife
  let steps: AssetDataSteps
  /** Adopted by the lender, whose issuer is the deployer. */
  let market: Address
  let lender: string

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    steps = createAssetDataSteps(world)
    lender = world.lender.wallet.address.toLowerCase()
    const terms = { issuer: world.deployer.wallet.address }
    market = (await life.adopted({}, { curator: world.lender.wallet, terms })).marketAddress
  })
  afterAll(() => world.close())

  const acknowledge = (contentHash: string, party = world.lender, address: string = market) =>
    party.post(assetDataPath(address, '/acknowledge'), { contentHash })
  const confirm = (txHash: string, party = world.lender, address: string = market) =>
    party.post(assetDataPath(address, '/acknowledge/confirm'), { txHash })
  const standing = async (address: string = market): Promise<Hex> =>
    (await steps.state(world.deployer, address)).record.attested
  /** Adopts on chain, naming the hash that stands. */
  const adoptNaming = async (address: Address, assetDataHash: Hex) => {
    const terms = allRolesTo(world.lender.wallet.address, { assetDataHash })
    const args = [address, terms, zeroHash]
    return life.call(world.suite.factory, lendingFactoryAbi, 'acceptCuratorRole', args, world.lender.wallet)
  }

  it('answers what the lender of record signs, and proves it', async () => {
    const contentHash = await standing()
    const built = must(await acknowledge(contentHash.toUpperCase().replace('0X', '0x')))
    expect(built.body.data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      transaction: { to: world.suite.factory, value: '0' },
      functionName: 'acknowledgeAssetData',
      simulation: { simulated: true, success: true },
      marketAddress: market,
      signer: lender,
      contentHash,
      version: 1,
      attestor: world.deployer.wallet.address.toLowerCase(),
      previouslyAcknowledged: null,
      schemaVersion: '1.0.0',
      bundleAvailable: true,
      confirmWith: { endpoint: assetDataPath(market, '/acknowledge/confirm'), field: 'txHash' },
    })
    const txHash = await world.sign(world.lender.wallet, built)
    const { data } = must(await confirm(txHash)).body
    expect(data).toMatchObject({
      txHash,
      signer: lender,
      acknowledgement: { contentHash, version: 1, curator: lender },
      assetData: { status: 'ACKNOWLEDGED', diverged: false, acknowledged: { contentHash, version: 1, txHash } },
    })
    expect(must(await confirm(txHash)).body.data).toEqual(data)
    refused(await acknowledge(contentHash), 409, 'ACKNOWLEDGEMENT_CURRENT')
  })

  it('takes only what stands: a bundle that was replaced meanwhile has to be reviewed first', async () => {
    const reviewed = await standing()
    await steps.publish(world.deployer, world.security.token, { issuerName: 'Nordlicht II GmbH' })
    const { contentHash } = await steps.attest(world.deployer, market)
    expect(await steps.state(world.lender, market)).toMatchObject({ status: 'DIVERGED', diverged: true })
    const { details } = refused(await acknowledge(reviewed), 409, 'ASSET_DATA_STALE')
    expect(details).toEqual({
      reviewed,
      standing: contentHash,
      standingVersion: 2,
      attestedAt: expect.stringMatching(/^20.*Z$/),
    })
    const built = must(await acknowledge(contentHash))
    expect(built.body.data).toMatchObject({ previouslyAcknowledged: reviewed, version: 2 })
    must(await confirm(await world.sign(world.lender.wallet, built)))
    expect(await steps.state(world.lender, market)).toMatchObject({ status: 'ACKNOWLEDGED' })
  })

  it('lets the admin sign where the lender of record is not a wallet of the instance', async () => {
    const admin = await world.createParty(wallet(3))
    const terms = { admin: admin.wallet.address, issuer: world.deployer.wallet.address }
    const borrowAssetAddress = await world.createCash('EURX')
    const { marketAddress } = await life.adopted({ borrowAssetAddress }, { curator: world.lender.wallet, terms })
    const hash = await standing(marketAddress)
    const built = must(await acknowledge(hash, admin, marketAddress))
    const signer = admin.wallet.address.toLowerCase()
    expect(built.body.data.signer).toBe(signer)
    const txHash = await world.sign(admin.wallet, built)
    refused(await confirm(txHash, world.lender, marketAddress), 403, 'ACK_NOT_INSTANCE_BOUND')
    expect(must(await confirm(txHash, admin, marketAddress)).body.data.acknowledgement.curator).toBe(signer)
    const acknowledgers = [lender, signer]
    const error = refused(await acknowledge(hash, world.deployer, marketAddress), 403, 'NOT_ACKNOWLEDGER')
    expect(error.details).toEqual({ acknowledgers })
  })

  it('takes the adoption that acknowledged, and only for its market', async () => {
    const { marketAddress } = await world.deployMarket({ borrowAssetAddress: await world.createCash('GBPX') })
    const adopting = await adoptNaming(marketAddress, await standing(marketAddress))
    const txHash = adopting.transactionHash
    const { data } = must(await confirm(txHash, world.lender, marketAddress)).body
    expect(data).toMatchObject({ acknowledgement: { version: 1 }, assetData: { status: 'ACKNOWLEDGED' } })
    refused(await confirm(txHash), 400, 'TX_NOT_VERIFIED')
  })

  it('takes a Safe that is the admin, by the event it left', async () => {
    const safe = await deploySafe(world.node, [wallet(4), wallet(5)])
    const party = await world.createParty(wallet(6))
    await steps.addWallet(party, safe.address)
    const borrowAssetAddress = await world.createCash('CHFX')
    const terms = { admin: safe.address }
    const { marketAddress } = await life.adopted({ borrowAssetAddress }, { curator: world.lender.wallet, terms })
    const built = must(await acknowledge(await standing(marketAddress), party, marketAddress))
    const { receipt } = await safe.execThroughSafe(built.body.data.transaction)
    const { data } = must(await confirm(receipt.transactionHash, party, marketAddress)).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', signer: safe.address.toLowerCase() })
  })

  it('is refused before there is a lender of record', async () => {
    const { marketAddress } = await world.deployMarket({ mode: 'CUSTODY' })
    refused(await acknowledge(await standing(marketAddress), world.lender, marketAddress), 409, 'NOT_ADOPTED')
  })

  it('is refused while nothing is attested, and for the hash that stands for nothing', async () => {
    const silent = await steps.deployUnrecorded({ candidates: [world.lender.wallet.address] })
    await adoptNaming(silent, zeroHash)
    refused(await acknowledge(keccak256('0x01'), world.lender, silent), 409, 'ASSET_DATA_NONE')
    refused(await acknowledge(zeroHash), 400, 'INVALID_CONTENT_HASH')
  })

  it('is refused by a factory that predates attestation', async () => {
    const earlier = { abi: unattestingFactoryAbi, bytecode: unattestingFactoryBytecode }
    const hash = await standing()
    await steps.withFactory(earlier, async () => {
      refused(await acknowledge(hash), 409, 'FACTORY_UPGRADE_REQUIRED')
    })
  })

  it('takes nothing else', async () => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => confirm(txHash),
      target: world.suite.factory,
      other: { abi: lendingFactoryAbi, functionName: 'setDefaultFees', args: [0n, 0n] },
    })
    const { body } = await acknowledge('0x12')
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(/^contentHash /) })
    expect(body.error).not.toHaveProperty('details')
    refused(await confirm('0x12'), 400, 'VALIDATION_ERROR')
    refused(await acknowledge(zeroHash, world.outsider), 404, 'MARKET_NOT_DEPLOYED')
    refused(await confirm(zeroHash, world.outsider), 404, 'MARKET_NOT_DEPLOYED')
  })
})
