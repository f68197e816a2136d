import { identityRegistryAbi } from '@tallystick/abi'
import { deploySafe, type Safe, wallet } from '@tallystick/testkit'
import { claimSlots } from '@tallystick/wire'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
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

const AML = 1
const TAX_RESIDENCY = 5
const routes = ['/revoke-claim', '/proofs/revoke'] as const
const failedCode = { '/revoke-claim': 'REVOKE_CLAIM_FAILED', '/proofs/revoke': 'REVOKE_PROOF_FAILED' } as const
const failedStatus = { '/revoke-claim': 400, '/proofs/revoke': 500 } as const

describe('revoking claims', () => {
  const [investor, other] = [wallet(5).address, wallet(6).address]
  let world: IdentityWorld
  let provider: Party
  let safe: Safe

  beforeAll(async () => {
    world = await createIdentityWorld()
    provider = world.provider
    await world.verified(investor)
    await world.verified(other)
    safe = await deploySafe(world.node, [wallet(4)])
    await world.registryCall('addKYCProvider', [safe.address, 'A Safe'], world.admin)
  })
  afterAll(() => world.close())

  const encoded = (functionName: string, args: readonly unknown[]): { to: Address; data: Hex } => ({
    to: world.registry,
    data: encodeFunctionData({ abi: identityRegistryAbi, functionName, args } as never),
  })
  const file = (slot = AML, user: Address = investor) =>
    world.registryCall('addClaim', [user, slot, hashOf(`claim ${slot}`), 0n])
  async function refused(path: string, body: Record<string, unknown>, status: number, code: string, by = provider) {
    const answer = await by.post(path, body)
    expect([path, answer.status, answer.body.error?.code]).toEqual([path, status, code])
    return answer.body.error
  }

  it.each(routes)('%s builds, and confirms what the chain shows', async (path) => {
    await file()
    const built = must(await provider.post(path, { walletAddress: investor.toLowerCase(), claimType: 'aml' }))
    const { data, metadata } = built.body
    expect(data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      transaction: {
        ...encoded('revokeClaim', [investor, AML]),
        value: '0',
        chainId: world.node.chainId,
      },
      functionName: 'revokeClaim',
      registerKind: 'TALLYSTICK',
      walletAddress: getAddress(investor),
      claimType: 'AML',
      requiredRole: 'KYC_PROVIDER_ROLE',
      signerAddress: world.clerk.address.toLowerCase(),
      simulation: { simulated: true, success: true, revert: null },
    })
    expect(data.confirmWith).toEqual(
      path === '/revoke-claim' ? { endpoint: `${IDENTITY}/revoke-claim`, field: 'txHash' } : { field: 'txHash' },
    )
    expect(metadata.blockHash).toMatch(/^0x/)
    const txHash = await world.sign(world.clerk, built)
    const receipt = await world.node.publicClient.getTransactionReceipt({ hash: txHash })
    const confirmed = must(await provider.post(path, { walletAddress: investor, claimType: AML, txHash })).body.data
    expect(confirmed).toMatchObject({
      walletAddress: getAddress(investor),
      claimType: 'AML',
      txHash,
      gasUsed: receipt.gasUsed.toString(),
      reissued: false,
      verification: [],
    })
    expect(confirmed).not.toHaveProperty('verifiedBy')
    // Twice gives the same answer and one row.
    expect(must(await provider.post(path, { walletAddress: investor, claimType: AML, txHash })).body.data).toEqual(
      confirmed,
    )
    const rows = await world.superuser`
      select r.operation from recordings r where r.instance_id = ${provider.instanceId} and r.tx_hash = ${txHash}`
    expect([...rows]).toEqual([{ operation: 'identityRegistry.ClaimRevoked' }])
    await file()
    expect(
      must(await provider.post(path, { walletAddress: investor, claimType: AML, txHash })).body.data.reissued,
    ).toBe(true)
    await world.registryCall('revokeClaim', [investor, AML])
  })

  it('reach every slot from 0 to 7, by name and by number', async () => {
    for (const [slot, claimType] of claimSlots.entries()) {
      await file(slot)
      for (const [path, named] of [
        ['/revoke-claim', slot],
        ['/proofs/revoke', claimType],
      ] as const) {
        const { data } = must(await provider.post(path, { walletAddress: investor, claimType: named })).body
        expect(data).toMatchObject({ claimType, transaction: encoded('revokeClaim', [investor, slot]) })
      }
      await world.registryCall('revokeClaim', [investor, slot])
    }
    expect(claimSlots).toHaveLength(8)
  })

  it.each(routes)('%s cannot be prepared where nothing is to be revoked', async (path) => {
    const error = await refused(path, { walletAddress: investor, claimType: 7 }, failedStatus[path], failedCode[path])
    expect(error.message).toContain('no active claim on PEP_CHECK')
  })

  it.each(routes)('%s checks the wallet and the slot of the event', async (path) => {
    await file(AML)
    await file(TAX_RESIDENCY)
    const { transactionHash: txHash } = await world.registryCall('revokeClaim', [investor, AML])
    await refused(path, { walletAddress: other, claimType: 'AML', txHash }, 400, 'TX_TARGET_MISMATCH')
    const otherSlot = path === '/revoke-claim' ? 'REVOKE_CLAIM_FAILED' : 'TX_CLAIM_MISMATCH'
    await refused(path, { walletAddress: investor, claimType: 'TAX_RESIDENCY', txHash }, 400, otherSlot)
    await world.registryCall('revokeClaim', [investor, TAX_RESIDENCY])
  })

  it.each(routes)('%s is proven through a Safe by the events of the registry', async (path) => {
    await file()
    const built = must(await provider.post(`${path}?format=safe`, { walletAddress: investor, claimType: 'AML' }))
    expect(built.body.transactions).toMatchObject([encoded('revokeClaim', [investor, AML])])
    const { receipt } = await safe.execThroughSafe(encoded('revokeClaim', [investor, AML]))
    const body = { walletAddress: investor, claimType: 'AML', txHash: receipt.transactionHash }
    expect(must(await provider.post(path, body)).body.data).toMatchObject({
      verifiedBy: 'receipt-log',
      claimType: 'AML',
    })
    await refused(path, { ...body, walletAddress: other }, 400, 'TX_TARGET_MISMATCH')
    // The Safe touched the registry, but revoked nothing.
    const added = await safe.execThroughSafe(encoded('addClaim', [investor, AML, hashOf('x'), 0n]))
    await refused(path, { ...body, txHash: added.receipt.transactionHash }, 400, 'TX_NOT_VERIFIED')
    await world.registryCall('revokeClaim', [investor, AML])
  })

  it.each(routes)('%s takes no revocation for one whose claim was filed again in the same block', async (path) => {
    await file()
    const { testClient, walletClient, publicClient } = world.node
    await testClient.setAutomine(false)
    const send = (call: { to: Address; data: Hex }, nonce: number) =>
      walletClient.sendTransaction({ account: world.clerk, ...call, nonce, gas: 300_000n })
    const nonce = await publicClient.getTransactionCount({ address: world.clerk.address })
    const txHash = await send(encoded('revokeClaim', [investor, AML]), nonce)
    await send(encoded('addClaim', [investor, AML, hashOf('again'), 0n]), nonce + 1)
    await testClient.mine({ blocks: 1 })
    await testClient.setAutomine(true)
    await publicClient.waitForTransactionReceipt({ hash: txHash })
    const body = { walletAddress: investor, claimType: 'AML', txHash }
    const error = await refused(path, body, failedStatus[path], failedCode[path])
    expect(error.message).toContain('in the same block')
    const [row] = await world.superuser`select count(*)::int as rows from recordings where tx_hash = ${txHash}`
    expect(row?.rows).toBe(0)
    await world.registryCall('revokeClaim', [investor, AML])
  })

  it.each(routes)('%s judges by what is now where no node remembers the block of the receipt', async (path) => {
    await file()
    const { transactionHash: txHash } = await world.registryCall('revokeClaim', [investor, AML])
    const body = { walletAddress: investor, claimType: 'AML', txHash }
    // Reads at a block of the past are pinned to its hash.
    world.proxy.replaceAnswer = ({ method, params }) =>
      method === 'eth_call' && typeof params[1] === 'object'
        ? { error: { code: -32000, message: 'pruned' } }
        : undefined
    expect(must(await provider.post(path, body)).body.data).toMatchObject({ reissued: false })
    await file()
    await refused(path, body, 503, 'CHAIN_UNAVAILABLE')
    world.proxy.replaceAnswer = undefined
    await world.registryCall('revokeClaim', [investor, AML])
  })

  it.each(routes)('%s refuses every hash that proves nothing', async (path) => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => provider.post(path, { walletAddress: investor, claimType: 'AML', txHash }),
      target: world.registry,
    })
    const { transactionHash } = await file()
    const body = { walletAddress: investor, claimType: 'AML', txHash: transactionHash }
    await refused(path, body, 400, 'TX_WRONG_FUNCTION')
    await world.registryCall('revokeClaim', [investor, AML])
  })

  it.each(routes)('%s refuses what names no wallet and no slot, on both legs', async (path) => {
    for (const leg of [{}, { txHash: NO_HASH }]) {
      for (const walletAddress of [undefined, 7, 'abc', '0x12', WRONG_CHECKSUM])
        await refused(path, { walletAddress, claimType: 'AML', ...leg }, 400, 'INVALID_ADDRESS')
      for (const claimType of [undefined, null, 8, -1, 1.5, '1', '', 'KYC ', 'PASSPORT', [1]])
        await refused(path, { walletAddress: investor, claimType, ...leg }, 400, 'INVALID_CLAIM_TYPE')
    }
    await refused(path, { walletAddress: investor, claimType: 'AML', txHash: '0x12' }, 400, 'VALIDATION_ERROR')
  })

  it.each(routes)('%s asks for the role on the build alone', async (path) => {
    await file()
    const body = { walletAddress: investor, claimType: 'AML' }
    const error = await refused(path, body, 403, 'KYC_PROVIDER_ROLE_MISSING', world.outsider)
    expect(error.requiredRole).toBe('KYC_PROVIDER_ROLE')
    const built = must(await world.walletless.post(path, body)).body.data
    expect(built).toMatchObject({
      signerAddress: null,
      simulation: { success: false, revert: { code: 'NOT_AUTHORIZED' } },
    })
    const { transactionHash: txHash } = await world.registryCall('revokeClaim', [investor, AML])
    must(await world.outsider.post(path, { ...body, txHash }))
  })

  it('answers INSTANCE_NOT_FOUND for a key whose instance is archived, on the route of proofs alone', async () => {
    const gone = await world.createParty()
    const body = { walletAddress: investor, claimType: 'AML' }
    await refused('/proofs/revoke', { ...body, claimType: 7 }, 500, 'REVOKE_PROOF_FAILED', gone)
    await world.operator.archiveInstance(gone.instanceId)
    for (const leg of [{}, { txHash: NO_HASH }]) {
      await refused('/proofs/revoke', { ...body, ...leg }, 404, 'INSTANCE_NOT_FOUND', gone)
      await refused('/revoke-claim', { ...body, ...leg }, 401, 'AUTH_FAILED', gone)
    }
    const [prefix, ref] = gone.apiKey.split('_')
    const guessed = await world.call('POST', `${IDENTITY}/proofs/revoke`, {
      key: `${prefix}_${ref}_${'0'.repeat(64)}`,
      body,
    })
    expect([guessed.status, guessed.body.error.code]).toEqual([401, 'AUTH_FAILED'])
  })
})
