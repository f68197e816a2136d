import { identityRegistryAbi } from '@tallystick/abi'
import { limitModuleAbi, limitModuleBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, type Safe, wallet } from '@tallystick/testkit'
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
const fresh = (seed: number) => getAddress(`0x${seed.toString(16).padStart(40, 'b')}`)

describe('verifying identities', () => {
  const [investor, other] = [wallet(5).address, wallet(6).address]
  let world: IdentityWorld
  let provider: Party
  let safe: Safe

  beforeAll(async () => {
    world = await createIdentityWorld()
    provider = world.provider
    safe = await deploySafe(world.node, [wallet(4)])
    await world.registryCall('addKYCProvider', [safe.address, 'A Safe'], world.admin)
    await world.registryCall('addRegisterOperator', [safe.address, 'A Safe'], world.admin)
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
  const statusOf = async (user: string, by = provider) => must(await by.get(`/status/${user}`)).body.data

  describe('one by one', () => {
    it('builds with the numbers of the registry, confirms what it holds, and keeps a record', async () => {
      expect(await statusOf(investor)).toMatchObject({
        registerKind: 'TALLYSTICK',
        onChain: { status: 'none', statusCode: 3, isVerified: false, frozen: false, kycHash: null, country: null },
        offChain: null,
      })
      const request = {
        walletAddress: investor,
        country: 'de',
        investorType: 'professional',
        kycData: { b: 1, a: 'ü' },
      }
      const built = must(await provider.post('/verify', { ...request, softExpiryDays: 30, hardExpiryDays: 60 }))
      const { data } = built.body
      const now = built.body.metadata.chainTime
      const kycHash = keccak256(toBytes('{"a":"ü","b":1}'))
      expect(data).toMatchObject({
        action: 'SIGN_TRANSACTION',
        transaction: encoded('verifyIdentity', [
          investor,
          kycHash,
          2,
          BigInt(now + 30 * DAY),
          BigInt(now + 60 * DAY),
          276,
        ]),
        functionName: 'verifyIdentity',
        operation: 'verify',
        walletAddress: investor,
        country: 'DEU',
        kycHash,
        investorType: 2,
        softExpiry: now + 30 * DAY,
        hardExpiry: now + 60 * DAY,
        identityAddress: null,
        simulation: { success: true },
        confirmWith: { endpoint: `${IDENTITY}/verify`, field: 'txHash' },
      })
      const txHash = await world.sign(world.clerk, built)
      const body = { walletAddress: investor, investorType: 'PROFESSIONAL', txHash }
      const confirmed = must(await provider.post('/verify', body)).body.data
      expect(confirmed).toMatchObject({
        walletAddress: investor,
        status: 'verified',
        operation: 'verify',
        country: 'DEU',
        kycHash,
        investorType: 2,
      })
      expect(must(await provider.post('/verify', body)).body.data).toEqual(confirmed)
      await refused('/verify', { ...body, investorType: 'RETAIL' }, 400, 'TX_INVESTOR_TYPE_MISMATCH')
      await refused('/verify', { ...body, walletAddress: other }, 400, 'TX_TARGET_MISMATCH')
      let status: Awaited<ReturnType<typeof statusOf>> | undefined
      const trips = await world.roundTrips(async () => {
        status = await statusOf(investor)
      })
      expect(trips).toBe(1)
      expect(status).toMatchObject({
        walletAddress: investor,
        onChain: {
          kycHash,
          investorType: 2,
          investorTypeLabel: 'PROFESSIONAL',
          kycProvider: world.clerk.address.toLowerCase(),
          country: 'DEU',
          softExpiry: now + 30 * DAY,
          status: 'active',
          statusCode: 0,
          isVerified: true,
        },
        offChain: { status: 'verified', country: 'DEU', investorType: 'PROFESSIONAL', txHash },
      })
      // The record is the instance's own.
      expect((await statusOf(investor, world.outsider)).offChain).toBeNull()
    })

    it('renews an identity that stands', async () => {
      const request = { walletAddress: investor, country: 250, kycHash: hashOf('renewed') }
      const built = must(await provider.post('/verify', request))
      expect(built.body.data).toMatchObject({
        functionName: 'updateIdentity',
        operation: 'update',
        country: 'FRA',
        investorType: 1,
      })
      const txHash = await world.sign(world.clerk, built)
      expect(must(await provider.post('/verify', { walletAddress: investor, txHash })).body.data).toMatchObject({
        operation: 'update',
        country: 'FRA',
        kycHash: hashOf('renewed'),
        investorType: 1,
      })
      expect((await statusOf(investor)).offChain).toMatchObject({ country: 'FRA', investorType: 'RETAIL', txHash })
    })

    it('makes a hash of wallet, country and time where none is given', async () => {
      const build = () => provider.post('/verify', { walletAddress: other, country: '056' })
      const [first, second] = [must(await build()), must(await build())].map(({ body }) => body.data)
      expect(first.country).toBe('BEL')
      expect(first.kycHash).toMatch(/^0x[0-9a-f]{64}$/)
      expect(second.kycHash).not.toBe(first.kycHash)
    })

    it('is confirmed through a Safe, and not by a Safe that did something else', async () => {
      const call = encoded('verifyIdentity', [other, hashOf('safe'), 3, 0n, 0n, 724])
      const { receipt } = await safe.execThroughSafe(call)
      const body = { walletAddress: other, txHash: receipt.transactionHash }
      expect(must(await provider.post('/verify', body)).body.data).toMatchObject({
        verifiedBy: 'receipt-log',
        investorType: 3,
        country: 'ESP',
      })
      const added = await safe.execThroughSafe(encoded('addClaim', [other, 1, hashOf('x'), 0n]))
      await refused('/verify', { ...body, txHash: added.receipt.transactionHash }, 400, 'TX_NOT_VERIFIED')
      await refused('/revoke', { ...body, txHash: added.receipt.transactionHash }, 400, 'TX_NOT_VERIFIED')
    })

    it('is no verification when the registry does not list the wallet at the block of the receipt', async () => {
      const user = fresh(1)
      const txHash = await inOneBlock([
        encoded('verifyIdentity', [user, hashOf('short'), 1, 0n, 0n, 276]),
        encoded('revokeIdentity', [user]),
      ])
      await refused('/verify', { walletAddress: user, txHash: txHash[0] }, 400, 'VERIFY_FAILED')
      expect((await statusOf(user)).onChain).toMatchObject({ status: 'revoked', statusCode: 3 })
    })

    it('refuses input that makes no sense, on the legs that read it', async () => {
      const body = { walletAddress: investor, country: 'DE' }
      const both = async (more: Record<string, unknown>, code: string) => {
        await refused('/verify', { ...body, ...more }, 400, code)
        await refused('/verify', { ...body, ...more, txHash: NO_HASH }, 400, code)
      }
      for (const walletAddress of [undefined, 'x', WRONG_CHECKSUM]) await both({ walletAddress }, 'INVALID_ADDRESS')
      await both({ registryAddress: WRONG_CHECKSUM }, 'INVALID_ADDRESS')
      for (const country of ['', 'DEUX', 1000, 0, null]) await both({ country }, 'INVALID_COUNTRY')
      for (const country of ['XX', 'D', '999', 3])
        await refused('/verify', { ...body, country }, 400, 'INVALID_COUNTRY')
      await refused('/verify', { walletAddress: investor }, 400, 'MISSING_COUNTRY')
      await both({ kycHash: '0x12' }, 'INVALID_HASH')
      await refused('/verify', { ...body, kycHash: zeroHash }, 400, 'INVALID_HASH')
      for (const investorType of [2, 'WHALE', 'NONE']) await both({ investorType }, 'INVALID_INVESTOR_TYPE')
      for (const softExpiryDays of [-1, 1.5, 36_501]) await both({ softExpiryDays }, 'INVALID_EXPIRY')
      await refused('/verify', { ...body, softExpiryDays: 30, hardExpiryDays: 30 }, 400, 'INVALID_EXPIRY')
      for (const identityAddress of ['0x12', WRONG_CHECKSUM])
        await both({ identityAddress }, 'INVALID_IDENTITY_ADDRESS')
    })

    it('asks for the role on the build alone', async () => {
      const error = await refused(
        '/verify',
        { walletAddress: fresh(2), country: 'DE' },
        403,
        'KYC_PROVIDER_ROLE_MISSING',
        world.outsider,
      )
      expect(error.requiredRole).toBe('KYC_PROVIDER_ROLE')
      must(await world.walletless.post('/verify', { walletAddress: fresh(2), country: 'DE' }))
    })

    it('refuses every hash that proves nothing', async () => {
      await expectTransactionFaults(world, {
        confirm: (txHash) => provider.post('/verify', { walletAddress: investor, txHash }),
        target: world.registry,
      })
      const { transactionHash: txHash } = await world.registryCall('addClaim', [investor, 1, hashOf('x'), 0n])
      await refused('/verify', { walletAddress: investor, txHash }, 400, 'TX_WRONG_FUNCTION')
    })
  })

  describe('in a batch', () => {
    const entry = (seed: number, more: Record<string, unknown> = {}) => ({
      walletAddress: fresh(seed),
      country: 'NL',
      ...more,
    })

    it('leaves out what cannot be verified, and says so', async () => {
      const entries = [
        entry(10),
        entry(11, { country: 'XX' }),
        entry(12, { investorType: 'WHALE' }),
        entry(10),
        entry(13, { kycHash: '0x12' }),
        entry(14, { softExpiryDays: 2, hardExpiryDays: 1 }),
        entry(15, { walletAddress: WRONG_CHECKSUM }),
        entry(16, { hardExpiryDays: 10, investorType: 'PROFESSIONAL' }),
        { walletAddress: investor, country: 'NL' },
      ]
      const built = must(await provider.post('/batch-verify', { entries }))
      const { data } = built.body
      expect(data).toMatchObject({
        functionName: 'batchVerifyIdentities',
        submitted: 3,
        accepted: 3,
        totalEntries: 9,
        rejectedCount: 6,
        simulation: { success: true },
      })
      expect(data.rejected.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
        [1, 'INVALID_COUNTRY'],
        [2, 'INVALID_INVESTOR_TYPE'],
        [3, 'DUPLICATE_ADDRESS'],
        [4, 'INVALID_HASH'],
        [5, 'INVALID_EXPIRY'],
        [6, 'INVALID_ADDRESS'],
      ])
      expect(data.entries.map(({ index }: { index: number }) => index)).toEqual([0, 7, 8])
      const hash = await world.node.walletClient.sendTransaction({
        account: world.clerk,
        to: data.transaction.to,
        data: data.transaction.data,
        gas: BigInt(data.gasLimit),
      })
      await world.node.publicClient.waitForTransactionReceipt({ hash })
      const confirmed = must(await provider.post('/batch-verify', { entries, txHash: hash })).body.data
      expect(confirmed).toMatchObject({
        verified: [fresh(10), fresh(16)],
        onChainSkipped: [{ index: 8, walletAddress: investor }],
        notProcessed: [],
        txHash: hash,
      })
      expect(await statusOf(fresh(16))).toMatchObject({
        onChain: { status: 'active' },
        offChain: { status: 'verified', country: 'NLD', investorType: 'PROFESSIONAL', txHash: hash },
      })
      await refused('/batch-verify', { entries: entries.slice(0, 8), txHash: hash }, 400, 'TX_ENTRIES_MISMATCH')
      const swapped = [entry(20), ...entries.slice(1)]
      await refused('/batch-verify', { entries: swapped, txHash: hash }, 400, 'TX_ENTRIES_MISMATCH')
    })

    it('suggests gas that does for all, and tells what less gas did not reach', async () => {
      const entries = Array.from({ length: 40 }, (_, index) => entry(100 + index, { hardExpiryDays: 9 }))
      const { data } = must(await provider.post('/batch-verify', { entries })).body
      expect(data.entriesPerTransaction).toBeGreaterThan(200)
      const snapshot = await world.node.testClient.snapshot()
      const send = async (gas: bigint) => {
        const hash = await world.node.walletClient.sendTransaction({
          account: world.clerk,
          to: data.transaction.to,
          data: data.transaction.data,
          gas,
        })
        await world.node.publicClient.waitForTransactionReceipt({ hash })
        return must(await provider.post('/batch-verify', { entries, txHash: hash })).body.data
      }
      const short = await send(2_000_000n)
      expect(short.verified.length).toBeGreaterThan(10)
      expect(short.verified.length + short.notProcessed.length).toBe(40)
      await world.node.testClient.revert({ id: snapshot })
      expect((await send(BigInt(data.gasLimit))).verified).toHaveLength(40)
    })

    it('is confirmed through a Safe, and not by a Safe that did something else', async () => {
      const entries = [entry(50)]
      const { data } = must(await provider.post('/batch-verify', { entries })).body
      const { receipt } = await safe.execThroughSafe(data.transaction)
      expect(
        must(await provider.post('/batch-verify', { entries, txHash: receipt.transactionHash })).body.data,
      ).toMatchObject({ verifiedBy: 'receipt-log', verified: [fresh(50)] })
      const twice = { entries: [entry(50), entry(51)], txHash: receipt.transactionHash }
      await refused('/batch-verify', twice, 400, 'TX_ENTRIES_MISMATCH')
      await refused('/batch-verify', { ...twice, entries: [entry(51)] }, 400, 'TX_ENTRIES_MISMATCH')
      const added = await safe.execThroughSafe(encoded('addClaim', [fresh(50), 1, hashOf('x'), 0n]))
      const body = { entries, txHash: added.receipt.transactionHash }
      await refused('/batch-verify', body, 400, 'TX_NOT_VERIFIED')
    })

    it('refuses lists that are none, and lists of nothing valid, on both legs', async () => {
      for (const leg of [{}, { txHash: NO_HASH }]) {
        for (const entries of [
          undefined,
          [],
          'x',
          [{}],
          Array.from({ length: 501 }, (_, at) => entry(at)),
          [{ ...entry(1), x: 1 }],
        ])
          await refused('/batch-verify', { entries, ...leg }, 400, 'INVALID_INPUT')
        const error = await refused(
          '/batch-verify',
          { entries: [entry(1, { country: 'XX' })], ...leg },
          400,
          'NO_VALID_ENTRIES',
        )
        expect(error.rejected).toMatchObject([{ index: 0, code: 'INVALID_COUNTRY' }])
        await refused('/batch-verify', { entries: [entry(1)], registryAddress: '0x1', ...leg }, 400, 'INVALID_ADDRESS')
      }
      await refused('/batch-verify', { entries: [entry(1)] }, 403, 'KYC_PROVIDER_ROLE_MISSING', world.outsider)
    })

    it('refuses every hash that proves nothing', async () => {
      await expectTransactionFaults(world, {
        confirm: (txHash) => provider.post('/batch-verify', { entries: [entry(1)], txHash }),
        target: world.registry,
      })
      const { transactionHash: txHash } = await world.registryCall('addClaim', [investor, 1, hashOf('x'), 0n])
      await refused('/batch-verify', { entries: [entry(1)], txHash }, 400, 'TX_WRONG_FUNCTION')
    })
  })

  describe('and revoking them', () => {
    it('builds, confirms, and says when the wallet was verified again', async () => {
      const user = fresh(60)
      await world.verified(user)
      const built = must(await provider.post('/revoke', { walletAddress: user }))
      expect(built.body.data).toMatchObject({
        functionName: 'revokeIdentity',
        requiredRole: 'REGISTER_OPERATOR_ROLE',
        simulation: { success: true },
        confirmWith: { endpoint: `${IDENTITY}/revoke`, field: 'txHash' },
      })
      const txHash = await world.sign(world.clerk, built)
      const confirm = async () => must(await provider.post('/revoke', { walletAddress: user, txHash })).body.data
      expect(await confirm()).toMatchObject({ status: 'revoked', reverified: false, walletAddress: user })
      expect(await statusOf(user)).toMatchObject({
        onChain: { status: 'revoked', statusCode: 3, isVerified: false },
        offChain: { status: 'revoked', verifiedAt: null },
      })
      await refused('/revoke', { walletAddress: user }, 400, 'REVOKE_FAILED')
      await refused('/revoke', { walletAddress: investor, txHash }, 400, 'TX_TARGET_MISMATCH')
      await world.verified(user)
      expect((await confirm()).reverified).toBe(true)
    })

    it('takes no revocation for one that was undone in the same block', async () => {
      const user = fresh(61)
      await world.verified(user)
      const [txHash] = await inOneBlock([
        encoded('revokeIdentity', [user]),
        encoded('verifyIdentity', [user, hashOf('again'), 1, 0n, 0n, 276]),
      ])
      await refused('/revoke', { walletAddress: user, txHash }, 400, 'REVOKE_FAILED')
    })

    it('refuses what names no wallet, whoever may not, and hashes that prove nothing', async () => {
      for (const walletAddress of [undefined, 'x', WRONG_CHECKSUM])
        for (const leg of [{}, { txHash: NO_HASH }])
          await refused('/revoke', { walletAddress, ...leg }, 400, 'INVALID_ADDRESS')
      const error = await refused(
        '/revoke',
        { walletAddress: investor },
        403,
        'REGISTER_OPERATOR_ROLE_MISSING',
        world.outsider,
      )
      expect(error.requiredRole).toBe('REGISTER_OPERATOR_ROLE')
      await expectTransactionFaults(world, {
        confirm: (txHash) => provider.post('/revoke', { walletAddress: investor, txHash }),
        target: world.registry,
      })
      const { transactionHash: txHash } = await world.registryCall('addClaim', [investor, 1, hashOf('x'), 0n])
      await refused('/revoke', { walletAddress: investor, txHash }, 400, 'TX_WRONG_FUNCTION')
    })
  })

  describe('and reading about them', () => {
    it('tells expiries by the clock of the chain', async () => {
      const now = await world.chainTime()
      await world.verified(fresh(70), { softExpiry: now + 1_000, hardExpiry: now + 2_000 })
      const { testClient } = world.node
      await testClient.increaseTime({ seconds: 1_100 })
      await testClient.mine({ blocks: 1 })
      expect((await statusOf(fresh(70))).onChain).toMatchObject({
        status: 'soft_expired',
        statusCode: 1,
        isVerified: true,
      })
      await testClient.increaseTime({ seconds: 1_000 })
      await testClient.mine({ blocks: 1 })
      expect((await statusOf(fresh(70))).onChain).toMatchObject({
        status: 'hard_expired',
        statusCode: 2,
        isVerified: false,
      })
    })

    it('answers without the chain, and says that it could not be read', async () => {
      const answer = await world.withoutNode(() => provider.get(`/status/${investor}`))
      expect(must(answer).body.data).toMatchObject({
        registerKind: 'TALLYSTICK',
        onChain: { status: null, isVerified: null, unavailable: true },
        offChain: { status: 'verified' },
      })
      expect(answer.body.metadata).not.toHaveProperty('blockHash')
      const named = await world.withoutNode(() => provider.get(`/status/${investor}?registryAddress=${world.cash}`))
      expect(must(named).body.data).toMatchObject({ registerKind: null, onChain: { unavailable: true } })
    })

    it('checks transfers as the registry does', async () => {
      const check = async (from: Address, to: Address, more: Record<string, unknown> = {}) =>
        must(await provider.post('/can-transfer', { from, to, amount: '5', ...more })).body.data
      expect(await check(investor, other)).toMatchObject({
        allowed: true,
        reason: 0,
        reasonLabel: 'NONE',
        senderStatus: 0,
      })
      expect(await check(fresh(999), other)).toMatchObject({
        allowed: false,
        reason: 1,
        senderStatus: 3,
        receiverStatus: 0,
      })
      expect(await check(other, fresh(999))).toMatchObject({ reason: 2, reasonLabel: 'RECEIVER_NOT_VERIFIED' })
      await world.registryCall('addComplianceOfficer', [world.clerk.address], world.admin)
      await world.registryCall('freezeAddress', [other])
      expect(await check(investor, other)).toMatchObject({ allowed: false, reason: 4, reasonLabel: 'RECEIVER_FROZEN' })
      expect((await statusOf(other)).onChain).toMatchObject({ frozen: true, isVerified: false, status: 'active' })
      await world.registryCall('unfreezeAddress', [other])
      expect(await check(fresh(70), other)).toMatchObject({ reason: 5, senderStatus: 2 })
      expect(await world.roundTrips(() => check(investor, other))).toBe(1)
    })

    it('names the compliance module that refuses a transfer', async () => {
      const limit = { abi: limitModuleAbi, bytecode: limitModuleBytecode, args: [4n, 100n] }
      const module = (await deploy(world.node, limit)).toLowerCase()
      const check = async (amount: string) =>
        must(await provider.post('/can-transfer', { from: investor, to: other, amount })).body.data
      await world.registryCall('addComplianceModule', [module], world.admin)
      expect(await check('5')).toMatchObject({ allowed: false, reason: 10, reasonLabel: 'MODULE_REFUSED', module })
      expect(await check('4')).toMatchObject({ allowed: true, module: null })
      await world.registryCall('removeComplianceModule', [module], world.admin)
    })

    it('refuses to check what is no transfer', async () => {
      const body = { from: investor, to: other }
      for (const more of [
        { from: undefined },
        { to: '0x1' },
        { from: WRONG_CHECKSUM },
        { amount: '1.5' },
        { amount: 5 },
        { toBalance: '-1' },
        { amount: '9'.repeat(78) },
      ])
        await refused('/can-transfer', { ...body, ...more }, 400, 'INVALID_INPUT')
    })
  })

  /** Both calls of the clerk in one block; their hashes. */
  async function inOneBlock(calls: readonly { to: Address; data: Hex }[]): Promise<Hex[]> {
    const { testClient, walletClient, publicClient } = world.node
    const nonce = await publicClient.getTransactionCount({ address: world.clerk.address })
    await testClient.setAutomine(false)
    const hashes: Hex[] = []
    for (const [index, call] of calls.entries())
      hashes.push(
        await walletClient.sendTransaction({ account: world.clerk, ...call, nonce: nonce + index, gas: 500_000n }),
      )
    await testClient.mine({ blocks: 1 })
    await testClient.setAutomine(true)
    for (const hash of hashes) await publicClient.waitForTransactionReceipt({ hash })
    return hashes
  }
})
