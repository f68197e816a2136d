import { wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIdentityWorld, type IdentityWorld, must } from '../../../test/identity/identity-world.ts'

interface Row {
  walletAddress: string
  claims: { claimType: string; expiry: number }[]
}

describe('the investors of an instance', () => {
  const [anna, bert, carl] = [5, 6, 7].map((index) => wallet(index).address) as [Address, Address, Address]
  let world: IdentityWorld

  async function carryOut(path: string, body: Record<string, unknown>): Promise<void> {
    const txHash = await world.sign(world.clerk, await world.provider.post(path, body))
    must(await world.provider.post(path, { ...body, txHash }))
  }

  beforeAll(async () => {
    world = await createIdentityWorld()
    await carryOut('/verify', { walletAddress: anna, country: 'DE', hardExpiryDays: 400 })
    await carryOut('/verify', { walletAddress: bert, country: 'FR', investorType: 'PROFESSIONAL' })
    await carryOut('/verify', { walletAddress: carl, country: 'DE' })
    await carryOut('/add-claim', { walletAddress: anna, claimType: 'AML', dataInput: 'x', expiryDays: 10 })
    await carryOut('/add-claim', { walletAddress: anna, claimType: 'PEP_CHECK', dataInput: 'x', expiryDays: 300 })
    await carryOut('/add-claim', { walletAddress: bert, claimType: 'AML', dataInput: 'x', expiryDays: 10 })
    await carryOut('/add-claim', { walletAddress: carl, claimType: 'AML', dataInput: 'x', expiryDays: 10 })
    await carryOut('/revoke-claim', { walletAddress: bert, claimType: 'AML' })
    await carryOut('/revoke', { walletAddress: carl })
    await world.follow()
  })
  afterAll(() => world.close())

  const list = async (query = '', by = world.provider) => must(await by.get(`/investors${query}`)).body.data
  const addresses = async (query: string) =>
    (await list(query)).investors.map(({ walletAddress }: Row) => walletAddress).toSorted()
  const lower = (...all: Address[]) => all.map((one) => one.toLowerCase()).toSorted()

  it('are listed newest first, with what the registry says and their claims', async () => {
    const { investors, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    expect(investors.map(({ walletAddress }: Row) => walletAddress)).toEqual(
      [carl, bert, anna].map((one) => one.toLowerCase()),
    )
    const [revoked, professional, first] = investors
    expect(revoked).toMatchObject({ recorded: 'revoked', status: 'revoked', country: 'DEU', claims: [] })
    expect(professional).toMatchObject({ recorded: 'verified', investorType: 'PROFESSIONAL', claims: [] })
    expect(first).toMatchObject({
      registryAddress: world.registry,
      recorded: 'verified',
      country: 'DEU',
      investorType: 'RETAIL',
      status: 'active',
      frozen: false,
      softExpiry: 0,
    })
    expect(first.hardExpiry).toBeGreaterThan(await world.chainTime())
    const { data } = (await world.provider.get(`/claims/${anna}`)).body
    expect(first.claims.map(({ claimType, expiry }: Row['claims'][number]) => [claimType, expiry])).toEqual(
      data.claims.map(({ claimTypeLabel, expiry }: { claimTypeLabel: string; expiry: number }) => [
        claimTypeLabel,
        expiry,
      ]),
    )
  })

  it('are in the inbox when a claim of theirs ends soon', async () => {
    const { needs } = must(await world.provider.call('GET', '/access/api/inbox')).body.data
    expect(needs).toMatchObject([
      { kind: 'CLAIM_EXPIRING', urgency: 'SOON', id: 'AML', walletAddress: anna.toLowerCase() },
    ])
    expect(must(await world.outsider.call('GET', '/access/api/inbox')).body.data.needs).toEqual([])
  })

  it('are found by part of an address, by country, and by a claim that ends soon', async () => {
    expect(await addresses(`?q=${anna.slice(4, 20)}`)).toEqual(lower(anna))
    expect(await addresses('?q=deu')).toEqual(lower(anna, carl))
    expect(await addresses('?q=%25%25')).toEqual([])
    expect(await addresses('?expiresWithinDays=30')).toEqual(lower(anna))
    expect(await addresses('?expiresWithinDays=5')).toEqual([])
    expect(await addresses('?expiresWithinDays=365&q=FRA')).toEqual([])
  })

  it('are walked page by page, each once', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    do {
      const page: { investors: Row[]; nextCursor: string | null } = await list(
        `?limit=1${cursor ? `&cursor=${cursor}` : ''}`,
      )
      seen.push(...page.investors.map(({ walletAddress }) => walletAddress))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen.toSorted()).toEqual(lower(anna, bert, carl))
    for (const query of ['?cursor=x', '?q=a', '?expiresWithinDays=0', '?expiresWithinDays=soon']) {
      const { status, body } = await world.provider.get(`/investors${query}`)
      expect([query, status, body.error?.code]).toEqual([query, 400, 'VALIDATION_ERROR'])
    }
  })

  it('are listed by their records when the chain cannot be read, and are nobody else’s', async () => {
    const { investors } = await world.withoutNode(() => list('?q=FRA'))
    expect(investors).toEqual([
      expect.objectContaining({ recorded: 'verified', status: null, frozen: null, softExpiry: null, hardExpiry: null }),
    ])
    expect(await list('', world.outsider)).toEqual({ investors: [], nextCursor: null })
  })

  it('have nothing that depends on them as long as nothing is on record', async () => {
    const none = { loans: [], orders: [], holdings: [], truncated: false }
    expect(must(await world.provider.get(`/exposure?walletAddress=${anna}`)).body.data).toEqual(none)
    for (const query of ['', '?walletAddress=0x1']) {
      const { status, body } = await world.provider.get(`/exposure${query}`)
      expect([query, status, body.error?.code]).toEqual([query, 400, 'VALIDATION_ERROR'])
    }
  })
})
