import { stockFactoryAbi, stockTokenAbi } from '@tallystick/abi'
import { send, type Wallet, wallet } from '@tallystick/testkit'
import { claimSlots } from '@tallystick/wire'
import { type Address, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIdentityWorld, hashOf, type IdentityWorld, must, type Party } from './identity-world.ts'

/** An investor from the first check to the last revocation, with a share that asks the registry at every step. */
describe('the story of an investor', () => {
  const [issuer, anna, ben] = [wallet(3), wallet(5), wallet(6)]
  let world: IdentityWorld
  let provider: Party
  let share: Address

  beforeAll(async () => {
    world = await createIdentityWorld()
    provider = world.provider
    share = await createShare()
    must(
      await provider.call('POST', '/external-tokens/api/import', {
        body: { tokenAddress: share, assetType: 'PRIVATE_EQUITY' },
      }),
    )
  })
  afterAll(() => world.close())

  async function createShare(): Promise<Address> {
    const terms = {
      name: 'Nordlicht AG',
      symbol: 'NORD',
      isin: 'DE000A1EWWW0',
      metadataURI: '',
      decimals: 0,
      identityRegistry: world.registry,
      issuer: issuer.address,
      legalOperator: zeroAddress,
      allowSubIssuers: false,
    }
    const { logs } = await send(world.node, {
      address: world.suite.stockFactory,
      abi: stockFactoryAbi,
      functionName: 'deployStock',
      args: [terms, 0n, 0n, zeroHash],
      account: issuer,
    })
    const [deployed] = parseEventLogs({ abi: stockFactoryAbi, eventName: 'StockDeployed', logs })
    if (!deployed) throw new Error('no share was made')
    return deployed.args.token
  }
  const onShare = (account: Wallet, functionName: string, ...args: unknown[]) =>
    send(world.node, { address: share, abi: stockTokenAbi, functionName, args, account })
  const ruleFor = async (from: Wallet, to: Wallet) => {
    const args = [from.address, to.address, 1n] as const
    const [, rule] = await world.node.publicClient.readContract({
      address: share,
      abi: stockTokenAbi,
      functionName: 'canTransfer',
      args,
    })
    return rule
  }
  const transfer = (from: Wallet, to: Wallet) => onShare(from, 'transfer', to.address, 1n)
  const balance = (of: Wallet) =>
    world.node.publicClient.readContract({
      address: share,
      abi: stockTokenAbi,
      functionName: 'balanceOf',
      args: [of.address],
    })
  /** Both legs of a write; what the confirmation says. */
  async function carriedOut(path: string, body: Record<string, unknown>) {
    const txHash = await world.sign(world.clerk, await provider.post(path, body))
    return must(await provider.post(path, { ...body, txHash })).body.data
  }
  const claimsOf = async (who: Wallet): Promise<string[]> =>
    must(await provider.get(`/claims/${who.address}`)).body.data.claims.map(
      ({ claimTypeLabel }: { claimTypeLabel: string }) => claimTypeLabel,
    )

  it('begins with nobody: the share goes to no one', async () => {
    await expect(onShare(issuer, 'issue', anna.address, 100n, zeroHash)).rejects.toThrow()
    expect(must(await provider.get(`/status/${anna.address}`)).body.data.onChain).toMatchObject({ status: 'none' })
  })

  it('verifies Anna, and the share may be issued to her', async () => {
    const verified = await carriedOut('/verify', { walletAddress: anna.address, country: 'DEU', hardExpiryDays: 365 })
    expect(verified).toMatchObject({
      status: 'verified',
      operation: 'verify',
      verification: [{ tokenAddress: share.toLowerCase(), before: false, after: true }],
    })
    await onShare(issuer, 'issue', anna.address, 100n, zeroHash)
    expect(await balance(anna)).toBe(100n)
  })

  it('refuses a transfer to Ben by name of the rule, until he is verified too', async () => {
    expect(await ruleFor(anna, ben)).toBe('RECEIVER_NOT_VERIFIED')
    await expect(transfer(anna, ben)).rejects.toThrow('RECEIVER_NOT_VERIFIED')
    await carriedOut('/verify', { walletAddress: ben.address, country: 'FR', investorType: 'PROFESSIONAL' })
    await transfer(anna, ben)
    expect(await balance(ben)).toBe(1n)
  })

  it('fills all eight slots, four by hand and four by proof', async () => {
    for (const claimType of ['AML', 5, 'sanctions_check', 7])
      await carriedOut('/add-claim', { walletAddress: anna.address, claimType, dataInput: 'done', expiryDays: 100 })
    const entries = ['root', 'investorType', 'country', 'nationality'].map((fieldName) => ({
      fieldName,
      proofDigest: hashOf(fieldName),
    }))
    const body = { walletAddress: anna.address, entries }
    const { steps } = must(await provider.post('/proofs', body)).body.data
    const txResults = []
    for (const { fieldName, transaction } of steps)
      txResults.push({ fieldName, txHash: await world.sendRaw(world.clerk, transaction) })
    expect(must(await provider.post('/proofs', { ...body, txResults })).body.data.added).toBe(4)
    expect(await claimsOf(anna)).toEqual([...claimSlots])
    const { proofs } = must(await provider.get(`/proofs/${anna.address}`)).body.data
    expect(proofs.filter(({ source }: { source: string }) => source === 'proof')).toHaveLength(4)
  })

  it('revokes one claim by its name, one by its index, and one proof', async () => {
    const body = { walletAddress: anna.address }
    expect(await carriedOut('/revoke-claim', { ...body, claimType: 'Pep_Check' })).toMatchObject({
      claimType: 'PEP_CHECK',
      reissued: false,
      // Claims say more about a wallet than that it may hold the share.
      verification: [{ tokenAddress: share.toLowerCase(), before: true, after: true }],
    })
    expect(await carriedOut('/revoke-claim', { ...body, claimType: 1 })).toMatchObject({ claimType: 'AML' })
    expect(await carriedOut('/proofs/revoke', { ...body, claimType: 'CITIZENSHIP' })).toMatchObject({
      removedProofs: 1,
    })
    expect(await claimsOf(anna)).toEqual(
      claimSlots.filter((slot) => !['PEP_CHECK', 'AML', 'CITIZENSHIP'].includes(slot)),
    )
    await transfer(anna, ben)
  })

  it('revokes Anna, who can neither send nor receive any more', async () => {
    expect(await carriedOut('/revoke', { walletAddress: anna.address })).toMatchObject({
      status: 'revoked',
      reverified: false,
      verification: [{ tokenAddress: share.toLowerCase(), before: true, after: false }],
    })
    expect([await ruleFor(anna, ben), await ruleFor(ben, anna)]).toEqual([
      'SENDER_NOT_VERIFIED',
      'RECEIVER_NOT_VERIFIED',
    ])
    await expect(transfer(anna, ben)).rejects.toThrow('SENDER_NOT_VERIFIED')
    await expect(transfer(ben, anna)).rejects.toThrow('RECEIVER_NOT_VERIFIED')
    expect(await claimsOf(anna)).toEqual([])
    const check = { from: anna.address, to: ben.address, amount: '1' }
    expect(must(await provider.post('/can-transfer', check)).body.data).toMatchObject({ allowed: false, reason: 1 })
    expect(must(await provider.get(`/status/${anna.address}`)).body.data).toMatchObject({
      onChain: { status: 'revoked', country: 'DEU' },
      offChain: { status: 'revoked', country: 'DEU', investorType: 'RETAIL' },
    })
  })

  it('begins anew with empty slots', async () => {
    await carriedOut('/verify', { walletAddress: anna.address, country: 'DE' })
    expect(await claimsOf(anna)).toEqual([])
    await transfer(anna, ben)
  })

  it('is on record event by event, whether or not anybody confirmed it', async () => {
    await world.registryCall('addClaim', [ben.address, 6, hashOf('unconfirmed'), 0n])
    await world.follow()
    const [row] = await world.superuser`
      select count(*) filter (where operation = 'identityRegistry.ClaimAdded')::int as added,
        count(*) filter (where operation = 'identityRegistry.ClaimRevoked')::int as revoked,
        count(*) filter (where operation = 'identityRegistry.IdentityVerified')::int as verified
      from chain_live_facts where subject = ${world.registry}`
    expect(row).toEqual({ added: 9, revoked: 3, verified: 3 })
  })
})
