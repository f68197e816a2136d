import { lendingVaultAbi, lendingVaultBytecode } from '@tallystick/abi'
import { deploy, wallet } from '@tallystick/testkit'
import { type Address, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuratorSteps, termsOf } from '../../../test/lending/curator-steps.ts'
import { must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'

const DAY = 86_400

describe('adopting a market', () => {
  let world: ProxiedWorld
  let steps: ReturnType<typeof createCuratorSteps>
  let lender: Address
  let market: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    steps = createCuratorSteps(world)
    lender = world.lender.wallet.address
    await steps.verify(lender)
    market = (await steps.seeking()).marketAddress
  })
  afterAll(() => world.close())

  const accept = (request: Record<string, unknown> = {}, address = market, party: Party = world.lender) =>
    steps.accept(party, address, termsOf(lender, request))
  const standing = async (address = market) =>
    must(await world.lender.get(`${V2}/markets/queued/${address}/details`)).body.data.assetData.attested as string
  const createVault = (asset: Address, owner: Address) =>
    deploy(world.node, {
      abi: lendingVaultAbi,
      bytecode: lendingVaultBytecode,
      args: ['Vault', 'V', asset, owner, world.suite.factory, []],
    })

  it('builds one transaction for a nominee, with everything it signs', async () => {
    const assetDataHash = await standing()
    const request = {
      acknowledgeAssetData: undefined,
      assetDataHash,
      liquidityCommitment: '250000.5',
      maxFixedRateBps: 900,
      identityRegistry: world.security.registry,
      liquidator: wallet(4).address,
    }
    const { data } = must(await accept(request)).body
    expect(data).toMatchObject({
      functionName: 'acceptCuratorRole',
      transaction: { to: world.suite.factory },
      simulation: { simulated: true, success: true },
      marketAddress: market,
      signer: lender.toLowerCase(),
      identityRegistry: world.security.registry,
      borrowerRegistry: world.security.registry,
      providerRegistry: null,
      borrowAsset: { symbol: 'CASH1', decimals: 6 },
      generation: 'TWO_REGISTERS',
      installedRegister: { address: world.security.registry, shape: 'bool', usable: true, note: null },
      terms: {
        admin: lender.toLowerCase(),
        realizationMode: 'ISSUER_REDEMPTION',
        liquidityCommitment: '250000500000',
        maxFixedRateBps: 900,
        liquidator: wallet(4).address.toLowerCase(),
        vault: zeroAddress,
        assetDataHash,
      },
      claimSalt: zeroHash,
      assetData: { acknowledged: true, contentHash: assetDataHash, version: 1 },
      confirmWith: { endpoint: `${V2}/markets/queued/${market}/confirm-accept`, field: 'txHash' },
    })
    const file = await world.lender.post(`${V2}/markets/queued/${market}/accept?format=safe`, termsOf(lender))
    expect(file.body.transactions).toHaveLength(1)
  })

  it('is built once under an idempotency key, although it reads what belongs to nobody', async () => {
    const keyed = { headers: { 'idempotency-key': 'accept-curator-once' }, body: termsOf(lender, {}) }
    const path = `${V2}/markets/queued/${market}/accept`
    const answers = [await world.lender.call('POST', path, keyed), await world.lender.call('POST', path, keyed)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
  })

  it('takes a vault that the signer operates', async () => {
    const { marketAddress, cash } = await ownCash()
    const vault = await createVault(cash, lender)
    const { data } = must(await accept({ vault }, marketAddress)).body
    expect(data).toMatchObject({ simulation: { success: true }, terms: { vault: vault.toLowerCase() } })
    const foreign = await createVault(cash, wallet(5).address)
    expectRefusal(await accept({ vault: foreign }, marketAddress), 409, 'VAULT_NOT_OPERATORS')
    const mismatched = await createVault(world.cash, lender)
    expectRefusal(await accept({ vault: mismatched }, marketAddress), 409, 'ASSET_MISMATCH')
    expectRefusal(await accept({ vault: wallet(5).address }, marketAddress), 404, 'VAULT_NOT_FOUND')
  })

  it('refuses terms that are no terms', async () => {
    const bad = [
      [{ admin: zeroAddress }, 'INVALID_CURATOR_TERMS'],
      [{ issuer: 'x' }, 'INVALID_CURATOR_TERMS'],
      [{ priceSigner: undefined }, 'INVALID_CURATOR_TERMS'],
      [{ vault: 'x' }, 'INVALID_CURATOR_TERMS'],
      [{ realizationMode: 'UNDECLARED' }, 'INVALID_REALIZATION_MODE'],
      [{ liquidityCommitment: '-1' }, 'INVALID_LIQUIDITY_COMMITMENT'],
      [{ liquidityCommitment: '0.0000001' }, 'INVALID_LIQUIDITY_COMMITMENT'],
      [{ assetDataHash: '0x12', acknowledgeAssetData: undefined }, 'INVALID_CONTENT_HASH'],
      [{ assetDataHash: zeroHash, acknowledgeAssetData: undefined }, 'INVALID_CONTENT_HASH'],
      [{ maxFixedRateBps: 0 }, 'VALIDATION_ERROR'],
      [{ claimSalt: '0x12' }, 'VALIDATION_ERROR'],
      [{ other: 1 }, 'VALIDATION_ERROR'],
      [{ assetDataHash: `0x${'1'.repeat(64)}` }, 'VALIDATION_ERROR'],
    ] as const
    for (const [request, code] of bad) expectRefusal(await accept(request), 400, code)
    const fine = await world.deployMarket({ borrowAssetAddress: await world.createCash('FINE', 18) })
    const tooMuch = { liquidityCommitment: '9'.repeat(60) }
    expectRefusal(await accept(tooMuch, fine.marketAddress), 400, 'INVALID_LIQUIDITY_COMMITMENT')
    expectRefusal(await steps.accept(world.lender, '0x12', termsOf(lender)), 400, 'VALIDATION_ERROR')
  })

  it('refuses who may not adopt', async () => {
    expectRefusal(await accept({}, market, world.outsider), 403, 'CURATOR_NOT_APPROVED')
    const { marketAddress } = await steps.seeking({ candidates: [wallet(5).address] })
    expectRefusal(await accept({}, marketAddress), 403, 'NOT_NOMINATED')
    const open = await steps.seeking({ candidates: [], openToAnyCurator: true })
    expectRefusal(await accept({}, open.marketAddress), 403, 'NOMINATION_REQUIRED')
    expectRefusal(await accept({}, world.security.token), 404, 'MARKET_NOT_V2')
    const bare = await world.createInstance()
    await world.operator.approveLender(bare.instanceId, true)
    const path = `${V2}/markets/queued/${market}/accept`
    expectRefusal(await bare.call('POST', path, { body: termsOf(lender) }), 412, 'WALLET_NOT_CONFIGURED')
    const life = createMarketLife(world)
    const adopted = await life.adopted({ borrowAssetAddress: await world.createCash('DONE') })
    expectRefusal(await accept({}, adopted.marketAddress), 409, 'NOT_SEEKING_CURATOR')
  })

  it('refuses a realization that does not go with the prices', async () => {
    expectRefusal(await accept({ realizationMode: 'EXCHANGE_SALE' }), 409, 'REALIZATION_BASIS_UNAVAILABLE')
    const request = { priceSource: 'MARKET', identityRegistry: world.security.registry }
    const { marketAddress } = await steps.seeking(request)
    expectRefusal(await accept({ realizationMode: 'AUCTION' }, marketAddress), 409, 'REALIZATION_MODE_UNAVAILABLE')
    const { data } = must(await accept({ realizationMode: 'EXCHANGE_SALE' }, marketAddress)).body
    expect(data).toMatchObject({ simulation: { success: true }, installedRegister: null })
  })

  it('asks to acknowledge what stands, and refuses what does not', async () => {
    const hash = await standing()
    const silent = await accept({ acknowledgeAssetData: undefined })
    expect(expectRefusal(silent, 422, 'ASSET_DATA_ACKNOWLEDGEMENT_REQUIRED').body.error.details).toEqual({
      standing: hash,
      standingVersion: 1,
    })
    const reviewed = `0x${'1'.repeat(64)}`
    const stale = await accept({ acknowledgeAssetData: undefined, assetDataHash: reviewed })
    expect(expectRefusal(stale, 409, 'ASSET_DATA_STALE').body.error.details).toMatchObject({
      reviewed,
      standing: hash,
      standingVersion: 1,
    })
    const unattested = await steps.deployElsewhere(wallet(6), { candidates: [lender] })
    const nothing = await accept({ acknowledgeAssetData: undefined, assetDataHash: reviewed }, unattested)
    expectRefusal(nothing, 409, 'ASSET_DATA_NONE')
    expect(must(await accept({ acknowledgeAssetData: undefined }, unattested)).body.data.assetData).toMatchObject({
      acknowledged: false,
      contentHash: null,
    })
  })

  it('refuses registers that answer nothing, and a recipient who could not receive', async () => {
    const silent = { identityRegistry: wallet(5).address }
    expectRefusal(await accept(silent), 422, 'IDENTITY_REGISTRY_INCOMPATIBLE')
    expectRefusal(await accept({ providerRegistry: world.cash }), 422, 'IDENTITY_REGISTRY_INCOMPATIBLE')
    expectRefusal(await accept({ saleRecipient: wallet(5).address }), 422, 'SALE_RECIPIENT_NOT_ELIGIBLE')
  })

  it('says when the market could not be checked', async () => {
    const lost = await world.withoutNode(() => accept())
    expect(expectRefusal(lost, 503, 'MARKET_VERIFICATION_UNAVAILABLE').headers['retry-after']).toBe('1')
    expectRefusal(await world.withBroken(world.suite.factory, () => accept()), 503, 'MARKET_VERIFICATION_UNAVAILABLE')
  })

  describe('by a claim', () => {
    let open: Address
    const life = () => createMarketLife(world)

    beforeAll(async () => {
      const request = { candidates: [], openToAnyCurator: true, identityRegistry: world.security.registry }
      open = (await steps.seeking(request)).marketAddress
    })

    it('is for wallets that the register verifies', async () => {
      const approved = await world.createParty(wallet(3), { lenderApproved: true })
      expectRefusal(await accept({}, open, approved), 403, 'CANDIDATE_NOT_VERIFIED')
    })

    it('commits, waits, reveals, and starts anew when the terms change or the window closes', async () => {
      const committed = must(await accept({}, open)).body.data
      expect(committed).toMatchObject({
        functionName: 'commitCuratorClaim',
        claimFlow: true,
        claimDelaySeconds: 600,
        claimWindowSeconds: 259_200,
        signer: lender.toLowerCase(),
        simulation: { success: true },
        confirmWith: { endpoint: `${V2}/markets/queued/${open}/accept`, retryWith: { claimSalt: committed.claimSalt } },
      })
      const { claimSalt } = committed
      expect(must(await accept({}, open)).body.data.claimSalt).not.toBe(claimSalt)
      await world.sendRaw(world.lender.wallet, committed.transaction)

      const { timestamp } = await world.node.publicClient.getBlock()
      const early = await accept({ claimSalt }, open)
      expect(expectRefusal(early, 409, 'CLAIM_PENDING').body.error.details.maturesAt).toBe(Number(timestamp) + 600)

      const changed = must(await accept({ claimSalt, maxFixedRateBps: 500 }, open)).body.data
      expect(changed).toMatchObject({ functionName: 'commitCuratorClaim', claimSalt })
      expect(changed.commitment).not.toBe(committed.commitment)

      await life().travel(601)
      world.clock.advance(601_000)
      const ready = must(await accept({ claimSalt }, open)).body.data
      expect(ready).toMatchObject({ functionName: 'acceptCuratorRole', claimSalt, simulation: { success: true } })

      await life().travel(3 * DAY)
      world.clock.advance(3 * DAY * 1000)
      const late = await accept({ claimSalt }, open)
      expect(expectRefusal(late, 409, 'CLAIM_EXPIRED').body.error.details.expiredAt).toBe(
        Number(timestamp) + 600 + 259_200,
      )
    })

    it('can be completed within the window', async () => {
      const committed = must(await accept({}, open)).body.data
      await world.sendRaw(world.lender.wallet, committed.transaction)
      await life().travel(601)
      world.clock.advance(601_000)
      const txHash = await world.sign(world.lender.wallet, await accept({ claimSalt: committed.claimSalt }, open))
      const confirmed = await world.lender.post(`${V2}/markets/queued/${open}/confirm-accept`, { txHash })
      expect(must(confirmed).body.data).toMatchObject({
        curator: lender.toLowerCase(),
        market: { curator: lender.toLowerCase() },
      })
    })
  })

  it('is refused where no factory is recorded', async () => {
    const [row] = await world.superuser`delete from deployed_contracts returning *`
    expectRefusal(await accept(), 503, 'LENDING_NOT_CONFIGURED')
    await world.superuser`insert into deployed_contracts ${world.superuser(row ?? {})}`
  })

  async function ownCash() {
    const cash = await world.createCash('OWN')
    const { marketAddress } = await world.deployMarket({ borrowAssetAddress: cash })
    return { marketAddress, cash }
  }
})
