import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'
import { questions } from './detection.rules.ts'

const WRONG_CHECKSUM = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const NEVER_IMPORTED = `0x${'99'.repeat(20)}`

describe('an import', () => {
  let world: TokensWorld

  beforeAll(async () => {
    world = await createTokensWorld()
  })
  afterAll(() => world.close())

  const image = (token: string, imageURI: unknown) =>
    world.instance.call('PUT', `${TOKENS}/${token}/image`, { body: { imageURI } })
  const revoke = (token: string) => world.instance.call('DELETE', `${TOKENS}/${token}`)

  describe('when it is read', () => {
    it('shows its record, its profile and the evidence of its detection', async () => {
      const token = await world.createCash('dEUR', 6)
      const imported = await world.import(token)
      const { status, body } = await world.get(getAddress(token))
      expect(status).toBe(200)
      expect(body.data).toEqual({
        tokenAddress: token,
        name: 'Token dEUR',
        symbol: 'dEUR',
        decimals: 6,
        framework: 'erc20',
        totalSupply: '0',
        totalSupplyAt: imported.body.data.totalSupplyAt,
        totalSupplyBlock: imported.body.metadata.blockNumber,
        warnings: [],
        assetType: 'BOND',
        imageURI: null,
        metadata: {},
        importedAt: imported.body.data.importedAt,
        updatedAt: imported.body.data.importedAt,
        profile: null,
        evidence: expect.any(Array),
      })
      expect(body.data.evidence.map(({ call }: { call: string }) => call)).toEqual(questions)
      expect(body.data.evidence).toContainEqual({ call: 'symbol()', outcome: 'VALUE', value: 'dEUR' })
      expect(body.data.evidence).toContainEqual({ call: 'isIssuable()', outcome: 'REVERTED' })
    })

    it('shows the facts of its framework as metadata', async () => {
      const { token, ...contracts } = await world.createSecurity()
      expect((await world.import(token)).status).toBe(200)
      const { body } = await world.get(token)
      expect(body.data.framework).toBe('erc3643')
      expect(body.data.metadata).toEqual({ ...contracts, paused: false })
    })

    it('reads as not found for another instance, and for a token that was never imported', async () => {
      const token = await world.createImport()
      const other = await world.createInstance()
      const answers = [await other.call('GET', `${TOKENS}/${token}`), await world.get(NEVER_IMPORTED)]
      for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'IMPORT_NOT_FOUND'])
    })

    it.each(['0x12', 'nonsense', WRONG_CHECKSUM, 'x'.repeat(101), '0x%20'])(
      'answers INVALID_ADDRESS for %s',
      async (path) => {
        const { status, body } = await world.get(path)
        expect([status, body.error.code]).toEqual([400, 'INVALID_ADDRESS'])
      },
    )
  })

  describe('when its image is set', () => {
    it('shows the new one, and none after null', async () => {
      const token = await world.createImport()
      world.clock.advance(1_000)
      for (const imageURI of ['https://a.example/i.png', 'ipfs://bafyimage', null]) {
        const { status, body } = await image(token, imageURI)
        expect(status).toBe(200)
        expect(body.data).toEqual({ tokenAddress: token, imageURI, updatedAt: expect.stringMatching(/Z$/) })
        const stored = (await world.get(token)).body.data
        expect([stored.imageURI, stored.updatedAt]).toEqual([imageURI, body.data.updatedAt])
        expect(stored.updatedAt > stored.importedAt).toBe(true)
      }
    })

    it.each([
      '',
      'http://a.example',
      'a.example/i.png',
      'https://a.example/\u0000',
      'https://a.example/\uD800',
      7,
      undefined,
    ])('answers INVALID_IMAGE_URI for %j and keeps the old one', async (imageURI) => {
      const token = await world.createImport()
      await image(token, 'https://a.example/i.png')
      const before = await world.everyImport()
      const { status, body } = await image(token, imageURI)
      expect([status, body.error.code]).toEqual([400, 'INVALID_IMAGE_URI'])
      expect(await world.everyImport()).toEqual(before)
    })

    it('answers INVALID_ADDRESS, IMPORT_NOT_FOUND and VALIDATION_ERROR', async () => {
      const token = await world.createImport()
      const other = await world.createInstance()
      const body = { imageURI: null }
      const put = (path: string, request: object) =>
        world.instance.call('PUT', `${TOKENS}/${path}/image`, { body: request })
      const answers = [
        await put(WRONG_CHECKSUM, body),
        await put(NEVER_IMPORTED, body),
        await other.call('PUT', `${TOKENS}/${token}/image`, { body }),
        await put(token, { ...body, alt: 'x' }),
      ]
      expect(answers.map(({ status, body: { error } }) => [status, error.code])).toEqual([
        [400, 'INVALID_ADDRESS'],
        [404, 'IMPORT_NOT_FOUND'],
        [404, 'IMPORT_NOT_FOUND'],
        [400, 'VALIDATION_ERROR'],
      ])
    })
  })

  describe('when it is revoked', () => {
    it('is gone for every route, and a second time not found', async () => {
      const token = await world.createImport()
      const { status, body } = await revoke(getAddress(token))
      expect([status, body.data]).toEqual([200, { removed: true }])
      const profile = { body: { profile: null } }
      const answers = [
        await revoke(token),
        await world.get(token),
        await image(token, null),
        await world.instance.call('PUT', `${TOKENS}/${token}/profile`, profile),
        await world.instance.call('POST', `${TOKENS}/${token}/refresh`),
      ]
      for (const answer of answers) expect([answer.status, answer.body.error.code]).toEqual([404, 'IMPORT_NOT_FOUND'])
    })

    it('keeps its row, with the moment of the revocation', async () => {
      const token = await world.createImport()
      await revoke(token)
      const rows = (await world.everyImport()).filter((row) => row.token_address === token)
      expect(rows).toMatchObject([{ status: 'REVOKED', revoked_at: expect.any(Date) }])
    })

    it('stays with the instance that has it when another one asks', async () => {
      const token = await world.createImport()
      const other = await world.createInstance()
      const { status, body } = await other.call('DELETE', `${TOKENS}/${token}`)
      expect([status, body.error.code]).toEqual([404, 'IMPORT_NOT_FOUND'])
      expect((await world.get(token)).status).toBe(200)
    })

    it('answers INVALID_ADDRESS for a wrong checksum and VALIDATION_ERROR for a body', async () => {
      const token = await world.createImport()
      const refused = await revoke(WRONG_CHECKSUM)
      expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_ADDRESS'])
      const { status, body } = await world.instance.call('DELETE', `${TOKENS}/${token}`, { body: { reason: 'x' } })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect((await world.get(token)).status).toBe(200)
    })
  })
})
