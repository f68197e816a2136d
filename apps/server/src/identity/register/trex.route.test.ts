import {
  deploy,
  deploySafe,
  deployTrex,
  send,
  shippedArtifact,
  type Trex,
  trexTokenAbi,
  wallet,
} from '@tallystick/testkit'
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
} from '../../../test/identity/identity-world.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

describe('an ERC-3643 registry with claims on ONCHAINIDs', () => {
  // The owner of the suite is agent of the registry and manager of the claim issuer; the signer holds its claim key.
  const [owner, signer] = [wallet(0), wallet(9)]
  const [investor, holder] = [wallet(5), wallet(6)]
  let world: IdentityWorld
  let trex: Trex
  let agent: Party
  let registry: Address
  let identityAddress: Address

  beforeAll(async () => {
    world = await createIdentityWorld()
    trex = await deployTrex(world.node)
    registry = trex.identityRegistry.toLowerCase() as Address
    agent = await world.createParty(owner, signer)
    identityAddress = await createIdentity()
    await trex.registerHolder(holder.address, { manager: holder })
    await trex.mint(holder.address, 100n)
    must(
      await agent.call('POST', '/external-tokens/api/import', {
        body: { tokenAddress: trex.token, assetType: 'PUBLIC_EQUITY' },
      }),
    )
  })
  afterAll(() => world.close())

  /** An identity contract that the investor controls. */
  const createIdentity = () =>
    deploy(world.node, {
      ...shippedArtifact('@onchain-id/solidity/artifacts/contracts/Identity.sol/Identity.json'),
      args: [investor.address, false],
    })
  const on = (more: Record<string, unknown>) => ({ registryAddress: registry, ...more })
  async function refused(path: string, body: Record<string, unknown>, status: number, code: string, by = agent) {
    const answer = await by.post(path, body)
    expect([path, answer.status, answer.body.error?.code]).toEqual([path, status, code])
    return answer.body.error
  }
  const statusOf = async (user: Address) =>
    must(await agent.get(`/status/${user}?registryAddress=${registry}`)).body.data
  const signClaim = (message: Hex) => signer.signMessage({ message: { raw: message } })
  const registryCall = (functionName: string, args: readonly unknown[]) =>
    send(world.node, { address: registry, abi: abis.trexRegistry, functionName, args })

  /** Files the claim by hand or by proof, whatever it takes; the hash. */
  async function fileAml(dataInput: string): Promise<Hex> {
    const request = on({ walletAddress: investor.address, claimType: 'AML', dataInput })
    const asked = must(await agent.post('/add-claim', request)).body.data
    const signature = await signClaim(asked.messages[0].message)
    return world.sign(investor, await agent.post('/add-claim', { ...request, signature }))
  }

  it('is recognised, and tells what wallets of the instance may do there', async () => {
    const { data } = must(await agent.get('/registry')).body
    expect(data).toEqual({
      ownRegistry: world.registry,
      registries: [
        {
          registryAddress: world.registry,
          registerKind: 'TALLYSTICK',
          isOwn: true,
          tokens: [],
          wallets: [
            { address: owner.address.toLowerCase(), roles: ['LEGAL_OPERATOR_ROLE', 'DEFAULT_ADMIN_ROLE'] },
            { address: signer.address.toLowerCase(), roles: [] },
          ],
        },
        {
          registryAddress: registry,
          registerKind: 'TREX',
          isOwn: false,
          tokens: [trex.token.toLowerCase()],
          wallets: [
            { address: owner.address.toLowerCase(), roles: ['REGISTRY_AGENT'] },
            { address: signer.address.toLowerCase(), roles: [] },
          ],
        },
      ],
      truncated: false,
    })
  })

  it('registers identity contracts', async () => {
    expect((await statusOf(investor.address)).onChain).toMatchObject({
      status: 'none',
      statusCode: 3,
      isVerified: false,
    })
    const request = on({ walletAddress: investor.address, country: 'AT' })
    await refused('/verify', request, 400, 'INVALID_IDENTITY_ADDRESS')
    await refused('/verify', { ...request, identityAddress: world.cash }, 400, 'VERIFY_FAILED')
    await refused('/verify', { ...request, identityAddress, hardExpiryDays: 1 }, 400, 'INVALID_EXPIRY')
    const built = must(await agent.post('/verify', { ...request, identityAddress }))
    expect(built.body.data).toMatchObject({
      registerKind: 'TREX',
      registryAddress: registry,
      functionName: 'registerIdentity',
      operation: 'verify',
      requiredRole: 'REGISTRY_AGENT',
      signerAddress: owner.address.toLowerCase(),
      country: 'AUT',
      kycHash: null,
      investorType: null,
      identityAddress: identityAddress.toLowerCase(),
      simulation: { success: true },
    })
    const txHash = await world.sign(owner, built)
    const body = on({ walletAddress: investor.address, txHash })
    expect(must(await agent.post('/verify', body)).body.data).toMatchObject({
      operation: 'verify',
      country: 'AUT',
      kycHash: null,
      // Registered, but without the claim that the registry asks for.
      verification: [{ tokenAddress: trex.token.toLowerCase(), before: false, after: false }],
    })
    await refused('/verify', { ...body, walletAddress: wallet(7).address }, 400, 'TX_TARGET_MISMATCH')
    expect(await statusOf(investor.address)).toMatchObject({
      registerKind: 'TREX',
      onChain: { status: 'active', isVerified: false, frozen: null, identityAddress: identityAddress.toLowerCase() },
      offChain: { status: 'verified', country: 'AUT', investorType: null },
    })
  })

  it('is told another country or another identity contract by an update', async () => {
    const request = on({ walletAddress: investor.address, country: 'CH', identityAddress })
    const country = must(await agent.post('/verify', request))
    expect(country.body.data).toMatchObject({ functionName: 'updateCountry', operation: 'update' })
    const confirm = async (txHash: Hex) =>
      must(await agent.post('/verify', on({ walletAddress: investor.address, txHash }))).body.data
    expect(await confirm(await world.sign(owner, country))).toMatchObject({ operation: 'update', country: 'CHE' })
    const second = await createIdentity()
    const moved = must(await agent.post('/verify', { ...request, identityAddress: second }))
    expect(moved.body.data).toMatchObject({ functionName: 'updateIdentity', operation: 'update' })
    const txHash = await world.sign(owner, moved)
    expect(await confirm(txHash)).toMatchObject({ operation: 'update' })
    // Its event names no wallet; the call does, and behind a wrapper the registry.
    await refused('/verify', on({ walletAddress: holder.address, txHash }), 400, 'TX_TARGET_MISMATCH')
    const safe = await deploySafe(world.node, [wallet(4)])
    await registryCall('updateIdentity', [investor.address, identityAddress])
    await send(world.node, {
      address: registry,
      abi: [
        {
          type: 'function',
          name: 'addAgent',
          inputs: [{ type: 'address', name: 'agent' }],
          outputs: [],
          stateMutability: 'nonpayable',
        },
      ],
      functionName: 'addAgent',
      args: [safe.address],
    })
    const data = encodeFunctionData({
      abi: abis.trexRegistry,
      functionName: 'updateIdentity',
      args: [investor.address, second],
    })
    const { receipt } = await safe.execThroughSafe({ to: registry, data })
    expect(await confirm(receipt.transactionHash)).toMatchObject({ verifiedBy: 'receipt-log' })
    await refused(
      '/verify',
      on({ walletAddress: holder.address, txHash: receipt.transactionHash }),
      400,
      'TX_TARGET_MISMATCH',
    )
    identityAddress = second
  })

  it('has a proof signed by the claim issuer first, and filed by whoever controls the identity', async () => {
    const entries = [{ fieldName: 'root', proofDigest: hashOf('the file') }]
    const request = on({ walletAddress: investor.address, entries })
    const asked = must(await agent.post('/proofs', request)).body.data
    expect(asked).toMatchObject({
      action: 'SIGN_MESSAGES',
      registerKind: 'TREX',
      messages: [
        {
          claimType: 'KYC',
          fieldName: 'root',
          claimIssuer: trex.claimIssuer.address.toLowerCase(),
          signerAddress: expect.stringMatching(/^0x/),
        },
      ],
      resendWith: { field: 'signature' },
    })
    const forged = {
      ...entries[0],
      signature: await investor.signMessage({ message: { raw: asked.messages[0].message } }),
    }
    await refused('/proofs', { ...request, entries: [forged] }, 400, 'ATTEST_FAILED')
    await refused('/proofs', { ...request, entries: [{ ...entries[0], expiryDays: 1 }] }, 400, 'INVALID_ENTRY')
    const signed = [{ ...entries[0], signature: await signClaim(asked.messages[0].message) }]
    const built = must(await agent.post('/proofs', { ...request, entries: signed })).body.data
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTIONS',
      requiredRole: 'IDENTITY_CLAIM_KEY',
      signerAddress: null,
      steps: [{ transaction: { to: identityAddress.toLowerCase() }, claimType: 'KYC' }],
    })
    const txHash = await world.sendRaw(investor, built.steps[0].transaction)
    const txResults = [{ fieldName: 'root', txHash }]
    expect(must(await agent.post('/proofs', { ...request, entries: signed, txResults })).body.data).toMatchObject({
      added: 1,
    })
    expect((await statusOf(investor.address)).onChain).toMatchObject({ status: 'active', isVerified: true })
    const { proofs, verified } = must(await agent.get(`/proofs/${investor.address}?registryAddress=${registry}`)).body
      .data
    expect(verified).toBe(true)
    expect(proofs).toMatchObject([
      {
        claimTypeLabel: 'KYC',
        source: 'proof',
        fieldName: 'root',
        dataHash: hashOf('the file'),
        issuedAt: null,
        txHash,
      },
    ])
    await send(world.node, {
      address: trex.token,
      abi: trexTokenAbi,
      functionName: 'transfer',
      args: [investor.address, 5n],
      account: holder,
    })
  })

  it('takes claims by hand, again with the issuer’s signature', async () => {
    const request = on({ walletAddress: investor.address, claimType: 'AML', dataInput: 'screened' })
    await refused('/add-claim', { ...request, expiryDays: 5 }, 400, 'INVALID_EXPIRY')
    await refused('/add-claim', { ...request, signature: '0x1234' }, 400, 'ADD_CLAIM_FAILED')
    const asked = must(await agent.post('/add-claim', request)).body.data
    expect(asked).toMatchObject({ action: 'SIGN_MESSAGES', claimType: 'AML', expiry: 0 })
    const signature = await signClaim(asked.messages[0].message)
    const built = must(await agent.post('/add-claim', { ...request, signature }))
    expect(built.body.data).toMatchObject({ functionName: 'addClaim', requiredRole: 'IDENTITY_CLAIM_KEY' })
    const txHash = await world.sign(investor, built)
    const body = on({ walletAddress: investor.address, claimType: 'AML', txHash })
    expect(must(await agent.post('/add-claim', body)).body.data).toMatchObject({
      claimType: 'AML',
      dataHash: asked.dataHash,
      expiry: null,
      registerKind: 'TREX',
    })
    await refused('/add-claim', { ...body, claimType: 'PEP_CHECK' }, 400, 'ADD_CLAIM_FAILED')
    // A further claim of the same issuer changes the first.
    const changed = await fileAml('screened again')
    must(await agent.post('/add-claim', { ...body, txHash: changed }))
    await refused('/add-claim', { ...body, walletAddress: wallet(7).address }, 400, 'TX_TARGET_MISMATCH')
    const { claims } = must(await agent.get(`/claims/${investor.address}?registryAddress=${registry}`)).body.data
    expect(claims).toMatchObject([
      { claimTypeLabel: 'KYC', issuedAt: null, expiry: null },
      { claimTypeLabel: 'AML', issuer: trex.claimIssuer.address.toLowerCase() },
    ])
  })

  it('revokes by the signature, and tells what that means to the token', async () => {
    const body = on({ walletAddress: investor.address, claimType: 'KYC' })
    const built = must(await agent.post('/revoke-claim', body))
    expect(built.body.data).toMatchObject({
      functionName: 'revokeClaimBySignature',
      transaction: { to: trex.claimIssuer.address.toLowerCase() },
      registerKind: 'TREX',
      requiredRole: 'CLAIM_ISSUER_MANAGER',
      signerAddress: owner.address.toLowerCase(),
      claimType: 'KYC',
      simulation: { success: true },
      confirmWith: { endpoint: `${IDENTITY}/revoke-claim`, field: 'txHash' },
    })
    const txHash = await world.sign(owner, built)
    expect(must(await agent.post('/revoke-claim', { ...body, txHash })).body.data).toMatchObject({
      walletAddress: getAddress(investor.address),
      claimType: 'KYC',
      reissued: false,
      verification: [{ tokenAddress: trex.token.toLowerCase(), before: true, after: false }],
    })
    await refused('/revoke-claim', { ...body, claimType: 'AML', txHash }, 400, 'REVOKE_CLAIM_FAILED')
    await refused('/revoke-claim', { ...body, walletAddress: holder.address, txHash }, 400, 'TX_TARGET_MISMATCH')
    await refused('/revoke-claim', { ...body, claimType: 'PEP_CHECK', txHash }, 400, 'REVOKE_CLAIM_FAILED')
    await refused('/revoke-claim', { ...body, txHash: NO_HASH }, 404, 'TX_NOT_FOUND')
    await refused('/revoke-claim', body, 400, 'REVOKE_CLAIM_FAILED')
    const transfer = { address: trex.token, abi: trexTokenAbi, functionName: 'transfer', account: holder }
    await expect(send(world.node, { ...transfer, args: [investor.address, 1n] })).rejects.toThrow(
      'Transfer not possible',
    )
  })

  it('forgets the proof with its revocation, and says when a claim was issued anew', async () => {
    const body = on({ walletAddress: investor.address, claimType: 'AML' })
    const built = must(await agent.post('/proofs/revoke', body))
    const txHash = await world.sign(owner, built)
    const confirm = async () => must(await agent.post('/proofs/revoke', { ...body, txHash })).body.data
    expect(await confirm()).toMatchObject({ claimType: 'AML', reissued: false, removedProofs: 0 })
    await refused('/proofs/revoke', { ...body, claimType: 'KYC', txHash }, 400, 'TX_CLAIM_MISMATCH')
    await fileAml('a new screening')
    expect(await confirm()).toMatchObject({ reissued: true })
  })

  it('answers about transfers by the receiver alone', async () => {
    const check = async (from: Address, to: Address) =>
      must(await agent.post('/can-transfer', on({ from, to }))).body.data
    expect(await check(investor.address, holder.address)).toMatchObject({
      registerKind: 'TREX',
      allowed: true,
      reason: 0,
    })
    expect(await check(holder.address, investor.address)).toMatchObject({
      allowed: false,
      reason: 2,
      receiverStatus: 0,
    })
  })

  it('deletes identities', async () => {
    const built = must(await agent.post('/revoke', on({ walletAddress: investor.address })))
    expect(built.body.data).toMatchObject({ functionName: 'deleteIdentity', requiredRole: 'REGISTRY_AGENT' })
    const txHash = await world.sign(owner, built)
    expect(must(await agent.post('/revoke', on({ walletAddress: investor.address, txHash }))).body.data).toMatchObject({
      status: 'revoked',
      reverified: false,
    })
    await refused('/revoke', on({ walletAddress: holder.address, txHash }), 400, 'TX_TARGET_MISMATCH')
    expect(await statusOf(investor.address)).toMatchObject({
      onChain: { status: 'none' },
      offChain: { status: 'revoked' },
    })
    await refused(
      '/add-claim',
      on({ walletAddress: investor.address, claimType: 'AML', dataInput: 'x', txHash }),
      400,
      'TX_TARGET_MISMATCH',
    )
  })

  it('refuses who may not, what it cannot do, and hashes that prove nothing', async () => {
    const ofHolder = on({ walletAddress: holder.address })
    const identity = await createIdentity()
    const roles: [string, Record<string, unknown>, string][] = [
      ['/verify', { ...ofHolder, country: 'DE', identityAddress: identity }, 'REGISTRY_AGENT'],
      ['/revoke', ofHolder, 'REGISTRY_AGENT'],
      ['/revoke-claim', { ...ofHolder, claimType: 'KYC' }, 'CLAIM_ISSUER_MANAGER'],
      ['/proofs/revoke', { ...ofHolder, claimType: 'KYC' }, 'CLAIM_ISSUER_MANAGER'],
    ]
    for (const [path, body, requiredRole] of roles) {
      const error = await refused(path, body, 403, 'REGISTRY_AGENT_MISSING', world.outsider)
      expect(error.requiredRole).toBe(requiredRole)
    }
    const entries = [{ walletAddress: holder.address, country: 'DE' }]
    for (const leg of [{}, { txHash: NO_HASH }])
      await refused('/batch-verify', on({ entries, ...leg }), 400, 'REGISTRY_UNSUPPORTED')
    await expectTransactionFaults(world, {
      confirm: (txHash) => agent.post('/revoke-claim', { ...ofHolder, claimType: 'KYC', txHash }),
      target: trex.claimIssuer.address,
    })
  })
})
