import { lendingFactoryAbi } from '@tallystick/abi'
import {
  forgetfulFactoryAbi,
  forgetfulFactoryBytecode,
  unattestingFactoryAbi,
  unattestingFactoryBytecode,
} from '@tallystick/abi/testing'
import { deploySafe, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, keccak256, toBytes, zeroHash } from 'viem'
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

const base = { issuerName: 'Nordlicht Windpark GmbH', jurisdiction: 'DE', isin: 'DE000A1EWWW0' }

describe('attesting asset data', () => {
  let world: LendingWorld
  let life: MarketLife
  let steps: AssetDataSteps
  /** Seeks its lender; attested once, by its deployment. */
  let seeking: { marketAddress: Address; txHash: `0x${string}` }
  let adopted: Address
  let edition = 0

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    steps = createAssetDataSteps(world)
    seeking = await world.deployMarket()
    adopted = (await life.adopted({ mode: 'CUSTODY' })).marketAddress
  })
  afterAll(() => world.close())

  const attest = (market: string, party = world.deployer) => party.post(assetDataPath(market, '/attest'))
  const confirm = (market: string, txHash: string, party = world.deployer) =>
    party.post(assetDataPath(market, '/attest/confirm'), { txHash })
  const profileSays = (profile: Record<string, unknown> | null) =>
    steps.publish(world.deployer, world.security.token, profile)
  const profileChanges = () => profileSays({ ...base, sector: `edition ${++edition}` })

  describe('building', () => {
    it('is refused while the standing attestation says what the profile says, and names it', async () => {
      const { record } = await steps.state(world.deployer, seeking.marketAddress)
      const error = refused(await attest(seeking.marketAddress), 409, 'ATTESTATION_CURRENT')
      expect(error.details).toEqual({ contentHash: record.attested, version: 1 })
    })

    it('answers what the deployer signs while the market seeks its lender, and the bytes it stands for', async () => {
      const before = (await steps.state(world.deployer, seeking.marketAddress)).record
      await profileChanges()
      const built = must(await attest(seeking.marketAddress.toUpperCase().replace('0X', '0x')))
      const { data } = built.body
      expect(data).toMatchObject({
        action: 'SIGN_TRANSACTION',
        transaction: { to: world.suite.factory, value: '0', chainId: world.node.chainId },
        functionName: 'attestAssetData',
        simulation: { simulated: true, success: true },
        marketAddress: seeking.marketAddress,
        signer: world.deployer.wallet.address.toLowerCase(),
        signerRole: 'DEPLOYER',
        schemaVersion: '1.0.0',
        previousHash: before.attested,
        previousVersion: 1,
        nextVersion: 2,
        acknowledged: null,
        divergesAfter: false,
        confirmWith: {
          endpoint: assetDataPath(seeking.marketAddress, '/attest/confirm'),
          field: 'txHash',
        },
      })
      expect(data.note).toMatch(/NotAttestor/)
      expect(keccak256(toBytes(data.canonicalJson))).toBe(data.contentHash)
      expect(JSON.parse(data.canonicalJson)).toEqual(data.bundle)
      expect(data.bundle).toEqual({
        schemaVersion: '1.0.0',
        market: {
          chainId: world.node.chainId,
          factory: world.suite.factory,
          family: 'FUNGIBLE',
          borrowAsset: world.cash,
          collateralMode: 'FREEZE',
          priceSource: 'NAV',
        },
        token: {
          tokenAddress: world.security.token,
          name: 'Security NORD',
          symbol: 'NORD',
          decimals: 18,
          framework: 'erc3643',
          assetType: 'BOND',
          totalSupply: '0',
        },
        profile: { ...base, sector: `edition ${edition}` },
      })
      const call = { abi: lendingFactoryAbi, functionName: 'attestAssetData' } as const
      expect(data.transaction.data).toBe(
        encodeFunctionData({ ...call, args: [seeking.marketAddress, data.contentHash] }),
      )
      const unsigned = must(
        await world.deployer.get(assetDataPath(seeking.marketAddress, `/bundle?hash=${data.contentHash}`)),
      )
      expect(unsigned.body.data).toMatchObject({ canonicalJson: data.canonicalJson, standing: false, version: null })
      const file = must(await world.deployer.post(assetDataPath(seeking.marketAddress, '/attest?format=safe')))
      expect(file.body.transactions).toHaveLength(1)
    })

    it('answers what the issuer of the adoption terms signs afterwards, and tells that the lender falls behind', async () => {
      const { record } = await steps.state(world.deployer, adopted)
      await life.call(world.suite.factory, lendingFactoryAbi, 'acknowledgeAssetData', [adopted, record.attested])
      await profileChanges()
      const { data } = must(await attest(adopted)).body
      expect(data).toMatchObject({ signerRole: 'ISSUER', acknowledged: record.attested, divergesAfter: true })
      expect(data.note).toMatch(/DIVERGED/)
    })

    it('carries every field of a full profile into the bundle', async () => {
      const full = {
        ...base,
        sector: 'Energy',
        website: 'https://nordlicht.example',
        prospectusURI: 'ipfs://bafyprospectus',
        documents: [{ name: 'Terms', uri: 'https://nordlicht.example/terms.pdf' }],
      }
      await profileSays(full)
      expect(must(await attest(seeking.marketAddress)).body.data.bundle.profile).toEqual(full)
    })

    it('knows no earlier hash of a market that nobody attested', async () => {
      const silent = await steps.deployUnrecorded()
      const { data } = must(await attest(silent)).body
      expect(data).toMatchObject({ previousHash: null, previousVersion: 0, nextVersion: 1, acknowledged: null })
    })

    it('is for the attestor of its moment: signed by the deployer, it reverts after the adoption', async () => {
      const borrowAssetAddress = await world.createCash('LATE')
      const { marketAddress } = await world.deployMarket({ borrowAssetAddress })
      await profileChanges()
      const built = must(await attest(marketAddress))
      const terms = allRolesTo(world.lender.wallet.address)
      const args = [marketAddress, terms, zeroHash]
      await life.call(world.suite.factory, lendingFactoryAbi, 'acceptCuratorRole', args, world.lender.wallet)
      const call = { address: world.suite.factory, abi: lendingFactoryAbi, functionName: 'attestAssetData' } as const
      const late = {
        ...call,
        args: [marketAddress, built.body.data.contentHash],
        account: world.deployer.wallet,
      } as const
      await expect(world.node.publicClient.simulateContract(late)).rejects.toThrow('NotAttestor')
      await expect(world.sign(world.deployer.wallet, built)).rejects.toThrow()
    })

    it('gives the same answer again under the same Idempotency-Key', async () => {
      const ask = () =>
        world.deployer.call('POST', assetDataPath(seeking.marketAddress, '/attest'), {
          headers: { 'idempotency-key': 'attest-once' },
        })
      const first = must(await ask())
      const again = must(await ask())
      expect([again.text, again.headers['idempotent-replay']]).toEqual([first.text, 'true'])
    })

    it('is for nobody but the attestor', async () => {
      const { error } = (await attest(seeking.marketAddress, world.lender)).body
      expect(error).toMatchObject({
        code: 'NOT_ATTESTOR',
        details: { attestor: world.deployer.wallet.address.toLowerCase(), role: 'DEPLOYER' },
      })
      const issuer = wallet(6).address.toLowerCase()
      const borrowAssetAddress = await world.createCash('CHFX')
      const { marketAddress: other } = await life.adopted({ borrowAssetAddress }, { terms: { issuer } })
      expect(refused(await attest(other), 403, 'NOT_ATTESTOR').details).toEqual({ attestor: issuer, role: 'ISSUER' })
    })

    it('needs an active import of the token with a profile that says something', async () => {
      await profileSays(null)
      const { token } = world.security
      const editProfile = `/external-tokens/api/${token}/profile`
      const empty = refused(await attest(seeking.marketAddress), 422, 'TOKEN_PROFILE_REQUIRED')
      expect(empty.details).toEqual({ field: 'profile', tokenAddress: token, imported: true, editProfile })
      must(await world.deployer.call('DELETE', `/external-tokens/api/${token}`))
      const none = refused(await attest(seeking.marketAddress), 422, 'TOKEN_PROFILE_REQUIRED')
      expect(none.details).toMatchObject({ imported: false, editProfile: null })
      await world.importToken(world.deployer, token)
    })

    it.each([
      ['a control character', `Nord\u0007licht`],
      ['ten thousand characters', 'x'.repeat(10_000)],
    ])('refuses %s in a stored profile', async (_what, issuerName) => {
      const { superuser, deployer } = world
      const profile = superuser.json({ ...base, issuerName })
      await superuser`update token_imports set profile = ${profile} where instance_id = ${deployer.instanceId}`
      const error = refused(await attest(seeking.marketAddress), 400, 'INVALID_ASSET_DATA')
      expect(error.message).toMatch(/^profile\.issuerName/)
    })

    it('takes quotes, backslashes and any script exactly as they are', async () => {
      const issuerName = `"Nördlicht" \\ 北光 \u{1f30a} </script> {"a":1}`
      await profileSays({ ...base, issuerName })
      const { data } = must(await attest(seeking.marketAddress)).body
      expect(data.bundle.profile.issuerName).toBe(issuerName)
      expect(JSON.parse(data.canonicalJson).profile.issuerName).toBe(issuerName)
      expect(keccak256(toBytes(data.canonicalJson))).toBe(data.contentHash)
    })

    it('says when the market does not tell its settlement asset', async () => {
      const { marketAddress } = await world.deployMarket({ borrowAssetAddress: await world.createCash('EURX') })
      await world.node.testClient.setCode({ address: marketAddress, bytecode: '0x60006000fd' })
      const answer = await attest(marketAddress)
      refused(answer, 503, 'MARKET_STATE_UNAVAILABLE')
      expect(answer.headers['retry-after']).toBe('1')
    })

    it('says when the factory predates attestation', async () => {
      const earlier = { abi: unattestingFactoryAbi, bytecode: unattestingFactoryBytecode }
      await steps.withFactory(earlier, async () => {
        refused(await attest(seeking.marketAddress), 409, 'FACTORY_UPGRADE_REQUIRED')
      })
    })

    it('says when the factory wrote down no deployer', async () => {
      const forgetful = { abi: forgetfulFactoryAbi, bytecode: forgetfulFactoryBytecode }
      await steps.withFactory(forgetful, async () => {
        refused(await attest(seeking.marketAddress), 409, 'ATTESTOR_UNRECORDED')
      })
    })

    it('finds no market that the factory did not deploy, or that is none of your business', async () => {
      refused(await attest(world.cash), 404, 'MARKET_NOT_DEPLOYED')
      refused(await attest(seeking.marketAddress, world.outsider), 404, 'MARKET_NOT_DEPLOYED')
    })

    it('tells the first rule that an address breaks, and gives no list', async () => {
      const wrongCase = `0x${'aB'.repeat(20)}`
      for (const market of ['0x12', 'market', wrongCase]) {
        const error = refused(await attest(market), 400, 'VALIDATION_ERROR')
        expect(error).not.toHaveProperty('details')
        expect(error.message).toMatch(/^market /)
      }
    })
  })

  describe('confirming', () => {
    it('proves the attestation, records it once, and shows what stands now', async () => {
      await profileChanges()
      const built = must(await attest(seeking.marketAddress))
      const { contentHash, previousHash, nextVersion } = built.body.data
      const txHash = await world.sign(world.deployer.wallet, built)
      const { data } = must(await confirm(seeking.marketAddress, txHash)).body
      const attestor = world.deployer.wallet.address.toLowerCase()
      expect(data).toMatchObject({
        txHash,
        signer: attestor,
        attestation: { contentHash, previousHash, version: nextVersion, attestor, bundleAvailable: true },
        assetData: { status: 'ATTESTED', attested: { contentHash, txHash, bundleAvailable: true } },
      })
      expect(data.assetData).not.toHaveProperty('origin')
      expect(must(await confirm(seeking.marketAddress, txHash)).body.data).toEqual(data)
      const rows = await world.superuser`
        select instance_id from recordings where tx_hash = ${txHash} and operation = 'factory.AssetDataAttested'`
      expect([...rows]).toEqual([{ instance_id: world.deployer.instanceId }])
    })

    it('takes the deployment, which made the first attestation', async () => {
      const { attestation } = must(await confirm(seeking.marketAddress, seeking.txHash)).body.data
      expect(attestation).toMatchObject({ version: 1, previousHash: null, bundleAvailable: true })
    })

    it('takes a Safe that is the issuer, by the event it left', async () => {
      const safe = await deploySafe(world.node, [wallet(4), wallet(5)])
      const borrowAssetAddress = await world.createCash('GBPX')
      const { marketAddress } = await life.adopted({ borrowAssetAddress }, { terms: { issuer: safe.address } })
      await steps.addWallet(world.deployer, safe.address)
      await profileChanges()
      const { transaction, signer } = must(await attest(marketAddress)).body.data
      expect(signer).toBe(safe.address.toLowerCase())
      const { receipt } = await safe.execThroughSafe(transaction)
      const { data } = must(await confirm(marketAddress, receipt.transactionHash)).body
      expect(data).toMatchObject({ verifiedBy: 'receipt-log', signer, attestation: { version: 2 } })
    })

    it('is for the instance whose wallet attested', async () => {
      refused(await confirm(seeking.marketAddress, seeking.txHash, world.lender), 403, 'ATTEST_NOT_INSTANCE_BOUND')
    })

    it('does not take the attestation of another market', async () => {
      const other = await steps.deployUnrecorded()
      const { transactionHash } = await send(world.node, {
        address: world.suite.factory,
        abi: lendingFactoryAbi,
        functionName: 'attestAssetData',
        args: [other, keccak256('0x01')],
      })
      refused(await confirm(seeking.marketAddress, transactionHash), 400, 'TX_NOT_VERIFIED')
      const { attestation } = must(await confirm(other, transactionHash)).body.data
      expect(attestation).toMatchObject({ version: 1, previousHash: null, bundleAvailable: false })
    })

    it('takes nothing else', async () => {
      await expectTransactionFaults(world, {
        confirm: (txHash) => confirm(seeking.marketAddress, txHash),
        target: world.suite.factory,
        other: {
          abi: lendingFactoryAbi,
          functionName: 'nominateCurator',
          args: [seeking.marketAddress, wallet(7).address],
        },
      })
      for (const txHash of ['0x12', zeroHash.slice(1)]) {
        const error = refused(await confirm(seeking.marketAddress, txHash), 400, 'VALIDATION_ERROR')
        expect(error.message).toMatch(/^txHash /)
      }
      refused(await confirm(seeking.marketAddress, zeroHash, world.outsider), 404, 'MARKET_NOT_DEPLOYED')
    })
  })
})
