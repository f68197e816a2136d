import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'

const full = {
  issuerName: 'Alpine Uhren AG',
  jurisdiction: 'CH',
  sector: 'Watchmaking',
  isin: 'DE000BAY0017',
  website: 'https://alpine.example',
  prospectusURI: 'ipfs://bafyprospectus',
  documents: [
    { name: 'Terms', uri: 'https://alpine.example/terms.pdf' },
    { name: 'Articles "A" \\ ü 🚀', uri: 'ipfs://bafyarticles' },
  ],
}

describe('PUT /external-tokens/api/{tokenAddress}/profile', () => {
  let world: TokensWorld
  let token: string

  beforeAll(async () => {
    world = await createTokensWorld()
    token = await world.createImport()
  })
  afterAll(() => world.close())

  const publish = (profile: unknown, address = token) =>
    world.instance.call('PUT', `${TOKENS}/${address}/profile`, { body: { profile } })
  const stored = async (address = token) => (await world.get(address)).body.data.profile

  it('publishes every field exactly as given', async () => {
    const address = await world.createImport()
    world.clock.advance(1_000)
    const { status, body } = await publish(full, address)
    expect(status).toBe(200)
    expect(body.data).toEqual({ tokenAddress: address, profile: full, updatedAt: expect.stringMatching(/Z$/) })
    const record = (await world.get(address)).body.data
    expect(record.profile).toEqual(full)
    expect(record.updatedAt).toBe(body.data.updatedAt)
    expect(record.updatedAt > record.importedAt).toBe(true)
  })

  it('replaces the whole profile: a field left out is cleared', async () => {
    await publish(full)
    await publish({ sector: 'Energy' })
    expect(await stored()).toEqual({ sector: 'Energy' })
  })

  it('clears empty fields, and the profile when all are empty', async () => {
    const { body } = await publish({ ...full, issuerName: '', isin: '', documents: [] })
    const { issuerName: _, isin: __, documents: ___, ...rest } = full
    expect(body.data.profile).toEqual(rest)
    expect(await stored()).toEqual(rest)
    for (const nothing of [{}, { issuerName: '', website: '', documents: [] }, null]) {
      await publish(full)
      const answer = await publish(nothing)
      expect([answer.status, answer.body.data.profile]).toEqual([200, null])
      expect(await stored()).toBeNull()
    }
  })

  it('takes every field at its longest, counted in characters', async () => {
    const longest = {
      issuerName: '🚀'.repeat(120),
      jurisdiction: 'j'.repeat(64),
      sector: 's'.repeat(64),
      website: 'https://a.example/'.padEnd(512, 'x'),
      prospectusURI: 'https://a.example/'.padEnd(1_024, 'x'),
      documents: Array.from({ length: 20 }, () => ({ name: 'n'.repeat(120), uri: 'ipfs://b'.padEnd(1_024, 'x') })),
    }
    expect((await publish(longest)).status).toBe(200)
    expect(await stored()).toEqual(longest)
  })

  it.each<[string, Record<string, unknown>]>([
    ['profile.issuerName', { issuerName: 'i'.repeat(121) }],
    ['profile.issuerName', { issuerName: 7 }],
    ['profile.issuerName', { issuerName: 'A\u0000B' }],
    ['profile.issuerName', { issuerName: null }],
    ['profile.jurisdiction', { jurisdiction: 'j'.repeat(65) }],
    ['profile.sector', { sector: 's'.repeat(65) }],
    ['profile.sector', { sector: 'half a pair \uD83D' }],
    ['profile.isin', { isin: 'DE000BAY0018' }],
    ['profile.isin', { isin: 'DE000BAY00170' }],
    ['profile.website', { website: 'http://alpine.example' }],
    ['profile.website', { website: 'ipfs://bafy' }],
    ['profile.website', { website: 'https://a.example/'.padEnd(513, 'x') }],
    ['profile.prospectusURI', { prospectusURI: 'ftp://alpine.example' }],
    ['profile.prospectusURI', { prospectusURI: 'https://a.example/'.padEnd(1_025, 'x') }],
    ['profile.documents', { documents: Array.from({ length: 21 }, () => full.documents[0]) }],
    ['profile.documents', { documents: 'https://alpine.example' }],
    ['profile.documents.0.name', { documents: [{ uri: 'https://alpine.example' }] }],
    ['profile.documents.0.name', { documents: [{ name: '', uri: 'https://alpine.example' }] }],
    ['profile.documents.0.name', { documents: [{ name: 'n'.repeat(121), uri: 'https://alpine.example' }] }],
    ['profile.documents.0.uri', { documents: [{ name: 'Terms', uri: 'alpine.example' }] }],
    ['profile.documents.1.uri', { documents: [full.documents[0], { name: 'Terms', uri: '' }] }],
    ['profile.documents.0.hash', { documents: [{ ...full.documents[0], hash: '0x' }] }],
    ['profile.lei', { lei: '529900T8BM49AURSDO55' }],
    ['profile.description', { description: 'x' }],
  ])('answers INVALID_PROFILE and names %s', async (field, request) => {
    await publish(full)
    const { status, body } = await publish({ ...full, ...request })
    expect([status, body.error.code]).toEqual([400, 'INVALID_PROFILE'])
    expect(body.error.details.map((fault: { field: string }) => fault.field)).toContain(field)
    expect(body.error.message).toContain(field)
    expect(await stored()).toEqual(full)
  })

  it('names every bad field at once', async () => {
    const { body } = await publish({ isin: 'x', website: 'y', documents: [{ name: '\u0007', uri: 'z' }] })
    expect(body.error.details.map((fault: { field: string }) => fault.field).sort()).toEqual([
      'profile.documents.0.name',
      'profile.documents.0.uri',
      'profile.isin',
      'profile.website',
    ])
  })

  it.each(['text', 7, [], true])('answers INVALID_PROFILE for %j in the place of a profile', async (profile) => {
    const { status, body } = await publish(profile)
    expect([status, body.error.code]).toEqual([400, 'INVALID_PROFILE'])
  })

  it('answers INVALID_PROFILE when the profile is missing and VALIDATION_ERROR for a field beside it', async () => {
    const put = (body: unknown) => world.instance.call('PUT', `${TOKENS}/${token}/profile`, { body })
    const missing = await put({})
    expect([missing.status, missing.body.error.code]).toEqual([400, 'INVALID_PROFILE'])
    const beside = await put({ profile: null, note: 'x' })
    expect([beside.status, beside.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('answers INVALID_ADDRESS and IMPORT_NOT_FOUND, also for the import of another instance', async () => {
    const wrong = await publish(full, '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_ADDRESS'])
    const unknown = await publish(full, `0x${'99'.repeat(20)}`)
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'IMPORT_NOT_FOUND'])
    await publish(full)
    const other = await world.createInstance()
    const foreign = await other.call('PUT', `${TOKENS}/${token}/profile`, { body: { profile: null } })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'IMPORT_NOT_FOUND'])
    expect(await stored()).toEqual(full)
  })
})
