import { identityRegistryAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, getAddress, type Hex, keccak256, toBytes, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createIdentityWorld,
  hashOf,
  IDENTITY,
  type IdentityWorld,
  must,
  NO_HASH,
  type Party,
  WRONG_CHECKSUM,
} from '../../../test/identity/identity-world.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'

const DAY = 86_400
const fresh = (seed: number) => getAddress(`0x${seed.toString(16).padStart(40, 'c')}`)

describe('claims by hand and by proof', () => {
  const [investor, other] = [wallet(5).address, wallet(6).address]
  let world: IdentityWorld
  let provider: Party

  beforeAll(async () => {
    world = await createIdentityWorld()
    provider = world.provider
    await world.verified(investor)
    await world.verified(other)
  })
  afterAll(() => world.close())

  const encoded = (functionName: string, args: readonly unknown[]): { to: Address; data: Hex } => ({
    to: world.registry,
    data: encodeFunctionData({ abi: identityRegistryAbi, functionName, args } as never),
  })
  async function refused(path: string, body: Record<string, unknown>, status: number, code: string, by = provider) {
    const answer = await by.post(path, body)
    expect([path, answer.status, answer.body.error?.code]).toEqual([path, status, code])
    return answer.body.error
  }
  const proofsOf = async (user: string, by = provider) => must(await by.get(`/proofs/${user}`)).body.data
  const entry = (fieldName: string, more: Record<string, unknown> = {}) => ({
    fieldName,
    proofDigest: hashOf(`proof of ${fieldName}`),
    ...more,
  })
  /** Builds, signs each step, and confirms all. */
  async function attest(entries: Record<string, unknown>[], user: Address = investor) {
    const { data } = must(await provider.post('/proofs', { walletAddress: user, entries })).body
    const txResults: { fieldName: string; txHash: Hex }[] = []
    for (const step of data.steps)
      txResults.push({ fieldName: step.fieldName, txHash: await world.sendRaw(world.clerk, step.transaction) })
    const body = { walletAddress: user, entries, txResults }
    return { built: data, body, confirmed: must(await provider.post('/proofs', body)).body.data }
  }

  describe('a claim by hand', () => {
    it('is built from words that are not kept, and confirmed from the event', async () => {
      const request = { walletAddress: investor, claimType: 'tax_residency', dataInput: '  DE  ', expiryDays: 90 }
      const built = must(await provider.post('/add-claim', request))
      const dataHash = keccak256(
        toBytes(`{"claimType":"TAX_RESIDENCY","data":"DE","wallet":"${investor.toLowerCase()}"}`),
      )
      const expiry = built.body.metadata.chainTime + 90 * DAY
      expect(built.body.data).toMatchObject({
        action: 'SIGN_TRANSACTION',
        transaction: encoded('addClaim', [investor, 5, dataHash, BigInt(expiry)]),
        functionName: 'addClaim',
        claimType: 'TAX_RESIDENCY',
        dataHash,
        expiry,
        simulation: { success: true },
        confirmWith: { endpoint: `${IDENTITY}/add-claim`, field: 'txHash' },
      })
      const txHash = await world.sign(world.clerk, built)
      const body = { walletAddress: investor, claimType: 5, txHash }
      expect(must(await provider.post('/add-claim', body)).body.data).toMatchObject({
        walletAddress: investor,
        claimType: 'TAX_RESIDENCY',
        dataHash,
        expiry,
        txHash,
        verification: [],
      })
      await refused('/add-claim', { ...body, walletAddress: other }, 400, 'TX_TARGET_MISMATCH')
      const error = await refused('/add-claim', { ...body, claimType: 'AML' }, 400, 'ADD_CLAIM_FAILED')
      expect(error.message).toContain('another slot')
      const trips = await world.roundTrips(async () => {
        const { claims } = must(await provider.get(`/claims/${investor}`)).body.data
        expect(claims).toEqual([
          {
            claimType: 5,
            claimTypeLabel: 'TAX_RESIDENCY',
            dataHash,
            issuer: world.clerk.address.toLowerCase(),
            issuedAt: expect.any(Number),
            expiry,
            active: true,
          },
        ])
      })
      expect(trips).toBe(1)
      expect((await proofsOf(investor)).proofs).toMatchObject([{ claimTypeLabel: 'TAX_RESIDENCY', source: 'manual' }])
    })

    it('may be overwritten, and its hash wins over words', async () => {
      const request = {
        walletAddress: investor,
        claimType: 1,
        dataHash: hashOf('given').toUpperCase().replace('X', 'x'),
      }
      const built = must(await provider.post('/add-claim', { ...request, dataInput: 'ignored' }))
      expect(built.body.data).toMatchObject({ dataHash: hashOf('given'), expiry: 0, claimType: 'AML' })
    })

    it('is refused for slots that proofs fill, on both legs', async () => {
      for (const claimType of ['KYC', 'accreditation', 3, 4])
        for (const leg of [{}, { txHash: NO_HASH }])
          await refused(
            '/add-claim',
            { walletAddress: investor, claimType, dataInput: 'x', ...leg },
            400,
            'PROOF_REQUIRED',
          )
    })

    it('is refused where it makes no sense', async () => {
      const body = { walletAddress: investor, claimType: 'AML', dataInput: 'x' }
      const both = async (more: Record<string, unknown>, code: string) => {
        await refused('/add-claim', { ...body, ...more }, 400, code)
        await refused('/add-claim', { ...body, ...more, txHash: NO_HASH }, 400, code)
      }
      for (const walletAddress of [undefined, WRONG_CHECKSUM]) await both({ walletAddress }, 'INVALID_ADDRESS')
      for (const claimType of [undefined, 8, '5', 'X']) await both({ claimType }, 'INVALID_CLAIM_TYPE')
      await both({ dataHash: '0x12' }, 'INVALID_HASH')
      for (const more of [{ dataInput: undefined }, { dataInput: '  ' }, { dataHash: zeroHash }])
        await refused('/add-claim', { ...body, ...more }, 400, 'INVALID_HASH')
      for (const expiryDays of [-1, 0.5, 36_501]) await both({ expiryDays }, 'INVALID_EXPIRY')
      await refused('/add-claim', { ...body, walletAddress: fresh(1) }, 400, 'ADD_CLAIM_FAILED')
      const error = await refused('/add-claim', body, 403, 'KYC_PROVIDER_ROLE_MISSING', world.outsider)
      expect(error.requiredRole).toBe('KYC_PROVIDER_ROLE')
    })

    it('is not there when it was revoked in the same block', async () => {
      const { testClient, walletClient, publicClient } = world.node
      const nonce = await publicClient.getTransactionCount({ address: world.clerk.address })
      await testClient.setAutomine(false)
      const account = world.clerk
      const txHash = await walletClient.sendTransaction({
        account,
        ...encoded('addClaim', [investor, 7, hashOf('brief'), 0n]),
        nonce,
        gas: 300_000n,
      })
      await walletClient.sendTransaction({
        account,
        ...encoded('revokeClaim', [investor, 7]),
        nonce: nonce + 1,
        gas: 300_000n,
      })
      await testClient.mine({ blocks: 1 })
      await testClient.setAutomine(true)
      await publicClient.waitForTransactionReceipt({ hash: txHash })
      const error = await refused(
        '/add-claim',
        { walletAddress: investor, claimType: 7, txHash },
        400,
        'ADD_CLAIM_FAILED',
      )
      expect(error.message).toContain('not active')
    })

    it('refuses every hash that proves nothing', async () => {
      const confirm = (txHash: Hex) =>
        provider.post('/add-claim', { walletAddress: investor, claimType: 'PEP_CHECK', txHash })
      await expectTransactionFaults(world, { confirm, target: world.registry })
      const { transactionHash } = await world.registryCall('revokeClaim', [investor, 5])
      const wrong = await confirm(transactionHash)
      expect([wrong.status, wrong.body.error.code]).toEqual([400, 'TX_WRONG_FUNCTION'])
      const safe = await deploySafe(world.node, [wallet(4)])
      await world.registryCall('addKYCProvider', [safe.address, 'A Safe'], world.admin)
      const { receipt } = await safe.execThroughSafe(
        encoded('updateIdentity', [other, hashOf('other'), 1, 0n, 0n, 276]),
      )
      const other2 = await confirm(receipt.transactionHash)
      expect([other2.status, other2.body.error.code]).toEqual([400, 'TX_NOT_VERIFIED'])
    })
  })

  describe('a claim by proof', () => {
    it('is filed step by step, and the ledger keeps which proof backs it', async () => {
      const entries = [
        entry('root', { dataHash: hashOf('root of the file') }),
        entry('country', { expiryDays: 10 }),
        entry('screening', { claimType: 'AML' }),
        entry('nationality', { claimType: 2 }),
      ]
      const { built, body, confirmed } = await attest(entries)
      expect(built).toMatchObject({
        action: 'SIGN_TRANSACTIONS',
        total: 4,
        requiredRole: 'KYC_PROVIDER_ROLE',
        warnings: [{ code: 'NON_CANONICAL_SLOT', fieldName: 'nationality' }],
        simulation: { success: true },
        confirmWith: { endpoint: `${IDENTITY}/proofs`, field: 'txResults' },
      })
      expect(built.steps.map(({ claimType }: { claimType: string }) => claimType)).toEqual([
        'KYC',
        'RESIDENCY',
        'AML',
        'ACCREDITATION',
      ])
      expect(built.steps[0]).toMatchObject({
        type: 'ADD_CLAIM',
        functionName: 'addClaim',
        dataHash: hashOf('root of the file'),
        proofDigest: hashOf('proof of root'),
      })
      expect(confirmed).toMatchObject({ added: 4, total: 4 })
      expect(must(await provider.post('/proofs', body)).body.data).toEqual(confirmed)
      const { proofs, verified, rootHash } = await proofsOf(investor)
      expect([verified, rootHash]).toEqual([true, hashOf(investor)])
      expect(proofs).toMatchObject([
        { claimTypeLabel: 'KYC', fieldName: 'root', proofDigest: hashOf('proof of root'), source: 'proof' },
        { claimTypeLabel: 'AML', fieldName: 'screening', txHash: body.txResults[2]?.txHash },
        { claimTypeLabel: 'ACCREDITATION', fieldName: 'nationality' },
        { claimTypeLabel: 'RESIDENCY', fieldName: 'country', dataHash: hashOf('proof of country') },
      ])
      const [rows] = await world.superuser`
        select count(*)::int as rows from identity_proofs where instance_id = ${provider.instanceId}`
      expect(rows?.rows).toBe(4)
      // Another instance sees the claims, and nothing of this ledger.
      const theirs = await proofsOf(investor, world.outsider)
      expect(new Set(theirs.proofs.map(({ source }: { source: string }) => source))).toEqual(new Set(['manual']))
    })

    it('is asked of the chain and the ledger in as many round trips as needed, and answered without the chain', async () => {
      expect(await world.roundTrips(() => proofsOf(investor))).toBe(2)
      const offline = must(await world.withoutNode(() => provider.get(`/proofs/${investor}`))).body.data
      expect(offline).toMatchObject({ chainUnavailable: true, verified: null, rootHash: null })
      expect(offline.proofs).toHaveLength(4)
      expect(offline.proofs[0]).toMatchObject({ claimTypeLabel: 'KYC', issuer: null, fieldName: 'root' })
    })

    it('backs a claim no more when the slot was filled anew', async () => {
      await attest([entry('country', { expiryDays: 3 })], other)
      const dataHash = hashOf('proof of country')
      expect((await proofsOf(other)).proofs[0]).toMatchObject({ source: 'proof', dataHash })
      await world.node.testClient.increaseTime({ seconds: 60 })
      await world.registryCall('addClaim', [other, 3, dataHash, 0n])
      expect((await proofsOf(other)).proofs[0]).toMatchObject({ source: 'manual', dataHash, fieldName: null })
    })

    it('is taken out of the ledger by its revocation, once, and kept in the audit', async () => {
      const { confirmed } = await attest([entry('country')])
      expect(confirmed.added).toBe(1)
      const built = must(await provider.post('/proofs/revoke', { walletAddress: investor, claimType: 'RESIDENCY' }))
      const txHash = await world.sign(world.clerk, built)
      const body = { walletAddress: investor, claimType: 'RESIDENCY', txHash }
      const revoked = must(await provider.post('/proofs/revoke', body)).body.data
      expect(revoked).toMatchObject({ claimType: 'RESIDENCY', reissued: false, removedProofs: 2 })
      const labels = (await proofsOf(investor)).proofs.map(
        ({ claimTypeLabel }: { claimTypeLabel: string }) => claimTypeLabel,
      )
      expect(labels).toEqual(['KYC', 'AML', 'ACCREDITATION'])
      await attest([entry('country')])
      // An old revocation that is confirmed again does not touch what was attested since.
      expect(must(await provider.post('/proofs/revoke', body)).body.data).toMatchObject({
        reissued: true,
        removedProofs: 2,
      })
      expect((await proofsOf(investor)).proofs[3]).toMatchObject({ source: 'proof', fieldName: 'country' })
      const audit = await world.superuser`
        select action, slot, jsonb_array_length(removed) as removed from identity_audit where instance_id = ${provider.instanceId}`
      expect([...audit]).toEqual([{ action: 'REVOKE_CLAIM', slot: 3, removed: 2 }])
    })

    it('comes back into the ledger when a reorg takes its revocation away', async () => {
      const user = fresh(5)
      await world.verified(user)
      await attest([entry('nationality')], user)
      await world.follow()
      const snapshot = await world.node.testClient.snapshot()
      const { transactionHash: txHash } = await world.registryCall('revokeClaim', [user, 4])
      must(await provider.post('/proofs/revoke', { walletAddress: user, claimType: 4, txHash }))
      await world.follow()
      expect((await proofsOf(user)).proofs).toEqual([])
      await world.node.testClient.revert({ id: snapshot })
      await world.node.testClient.mine({ blocks: 3, interval: 1 })
      await world.follow()
      expect((await proofsOf(user)).proofs).toMatchObject([
        { claimTypeLabel: 'CITIZENSHIP', source: 'proof', fieldName: 'nationality' },
      ])
    })

    it('tells what became of each transaction', async () => {
      const entries = [
        entry('root'),
        entry('country'),
        entry('nationality'),
        entry('investorType'),
        entry('a', { claimType: 7 }),
      ]
      const [slots, digests] = [[0, 3, 4, 2], entries.map(({ proofDigest }) => proofDigest)]
      const send = async (slot: number, hash: Hex, user: Address = investor) =>
        (await world.registryCall('addClaim', [user, slot, hash, 0n])).transactionHash
      const txResults = [
        { fieldName: 'root', txHash: await send(slots[0] ?? 0, digests[0] as Hex) },
        { fieldName: 'country', txHash: await send(3, hashOf('another file')) },
        { fieldName: 'nationality', txHash: await send(4, digests[2] as Hex, other) },
        { fieldName: 'investorType', txHash: await send(6, digests[3] as Hex) },
      ]
      const body = { walletAddress: investor, entries, txResults }
      const { data } = must(await provider.post('/proofs', body)).body
      expect(data).toMatchObject({ added: 1, total: 5 })
      expect(data.proofs.map(({ status, code }: { status: string; code: string }) => [status, code])).toEqual([
        ['confirmed', null],
        ['failed', 'TX_NOT_VERIFIED'],
        ['failed', 'TX_TARGET_MISMATCH'],
        ['failed', 'TX_CLAIM_MISMATCH'],
        ['skipped', null],
      ])
      const none = await refused(
        '/proofs',
        { ...body, txResults: [{ fieldName: 'root', txHash: NO_HASH }] },
        400,
        'NO_PROOFS_ADDED',
      )
      expect(none.proofs[0]).toEqual({
        fieldName: 'root',
        claimType: 'KYC',
        status: 'failed',
        txHash: NO_HASH,
        code: 'TX_NOT_FOUND',
      })
    })

    it('refuses lists that make no sense, on both legs', async () => {
      const cases: [Record<string, unknown>[] | undefined, string][] = [
        [undefined, 'NO_ENTRIES'],
        [[], 'NO_ENTRIES'],
        [Array.from({ length: 9 }, (_, at) => entry(`f${at}`, { claimType: at % 8 })), 'TOO_MANY_ENTRIES'],
        [[entry('')], 'INVALID_FIELD'],
        [[entry('x'.repeat(129))], 'INVALID_FIELD'],
        [[entry('a\nb', { claimType: 1 })], 'INVALID_FIELD'],
        [[entry('root'), entry('root', { claimType: 1 })], 'DUPLICATE_FIELD'],
        [[entry('root'), entry('file', { claimType: 'kyc' })], 'DUPLICATE_SLOT'],
        [[entry('passport')], 'SLOT_REQUIRED'],
        [[entry('constructor')], 'SLOT_REQUIRED'],
        [[entry('passport', { claimType: 'PASSPORT' })], 'INVALID_CLAIM_TYPE'],
        [[entry('root', { proofDigest: '0x12' })], 'INVALID_ENTRY'],
        [[entry('root', { proofDigest: zeroHash })], 'INVALID_ENTRY'],
        [[entry('root', { claimType: 9 })], 'INVALID_ENTRY'],
        [[entry('root', { surprise: 1 })], 'INVALID_ENTRY'],
      ]
      for (const [entries, code] of cases)
        for (const leg of [{}, { txResults: [] }])
          await refused('/proofs', { walletAddress: investor, entries, ...leg }, 400, code)
      for (const leg of [{}, { txResults: [] }])
        await refused(
          '/proofs',
          { walletAddress: WRONG_CHECKSUM, entries: [entry('root')], ...leg },
          400,
          'INVALID_ADDRESS',
        )
      const body = { walletAddress: investor, entries: [entry('root')] }
      const result = { fieldName: 'root', txHash: NO_HASH }
      await refused('/proofs', { ...body, txResults: [{ ...result, fieldName: 'x' }] }, 400, 'INVALID_FIELD')
      await refused('/proofs', { ...body, txResults: [result, result] }, 400, 'DUPLICATE_FIELD')
      await refused('/proofs', { ...body, txResults: [{ ...result, txHash: '0x1' }] }, 400, 'VALIDATION_ERROR')
    })

    it('needs an identity that stands, and a provider', async () => {
      const entries = [entry('root')]
      await refused('/proofs', { walletAddress: fresh(7), entries }, 400, 'NOT_VERIFIED')
      await world.verified(fresh(8))
      await world.registryCall('revokeIdentity', [fresh(8)])
      await refused('/proofs', { walletAddress: fresh(8), entries }, 400, 'IDENTITY_REVOKED')
      const now = await world.chainTime()
      await world.verified(fresh(9), { hardExpiry: now + 100 })
      await world.node.testClient.increaseTime({ seconds: 200 })
      await world.node.testClient.mine({ blocks: 1 })
      await refused('/proofs', { walletAddress: fresh(9), entries }, 400, 'IDENTITY_EXPIRED')
      const error = await refused(
        '/proofs',
        { walletAddress: investor, entries },
        403,
        'KYC_PROVIDER_ROLE_MISSING',
        world.outsider,
      )
      expect(error.requiredRole).toBe('KYC_PROVIDER_ROLE')
    })

    it('refuses addresses that are none where they are asked about', async () => {
      for (const path of ['status', 'claims', 'proofs'])
        for (const address of [WRONG_CHECKSUM, `${investor}?registryAddress=${WRONG_CHECKSUM}`]) {
          const answer = await provider.get(`/${path}/${address}`)
          expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, 'INVALID_ADDRESS'])
        }
    })
  })
})
