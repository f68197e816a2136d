import { issuerFields } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provider } from '../../test/register/lines.ts'
import { createRegisterWorld, type RegisterWorld } from '../../test/register/register-world.ts'

const refused = {
  ae_homeMemberState: 'IT',
  ae_competentAuthority: 'Autorità Esempio',
  ae_decision_date: '05/06/2025',
  ae_lastupdate: '06/06/2025',
}

describe('listing the register', () => {
  let register: RegisterWorld

  beforeAll(async () => {
    register = await createRegisterWorld()
    expect((await register.get('/issuers')).body).toMatchObject({ data: [], metadata: { source: 'empty' } })
    await register.fill('CASPS', [
      provider({ ae_lei_name: 'Beta AG', ac_authorisationNotificationDate: '01/05/2025' }),
      provider({ ae_lei_name: 'alpha AG', ac_authorisationEndDate: '01/02/2025' }),
      provider({ ae_lei_name: 'Delta SE', ae_homeMemberState: 'AT', ac_authorisationNotificationDate: '' }),
    ])
    await register.fill('NCASP', [{ ...refused, ae_lei_name: 'Chi Falsa' }])
    await register.fill('EMTWP', [
      {
        ae_lei_name: 'Épsilon SA',
        ae_homeMemberState: 'LU',
        wp_lastupdate: '01/01/2026',
        ac_authorisationNotificationDate: '01/01/1979',
      },
    ])
  })
  afterAll(() => register.world.close())

  const names = async (query: string) => {
    const answer = await register.get(`/issuers${query}`)
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body.data.map((entry: { entityName: string }) => entry.entityName)
  }

  it('answers every field, sorted by name, with totals in body and headers', async () => {
    const { body, headers } = await register.get('/issuers')
    expect(body.data.map((entry: object) => Object.keys(entry).sort())).toEqual(
      Array.from({ length: 5 }, () => [...issuerFields].sort()),
    )
    expect(body.data.map((entry: { entityName: string }) => entry.entityName)).toEqual([
      'alpha AG',
      'Beta AG',
      'Chi Falsa',
      'Delta SE',
      'Épsilon SA',
    ])
    expect(body.pagination).toEqual({ total: 5, returned: 5, limit: 100, offset: 0, hasMore: false })
    expect(body.metadata.source).toBe('database')
    expect(headers).toMatchObject({
      'x-total-count': '5',
      'x-data-source': 'database',
      'cache-control': 'private, max-age=300',
    })
  })

  it.each([
    ['?licenseType=CASP', ['alpha AG', 'Beta AG', 'Delta SE']],
    ['?licenseType=non_compliant,emt', ['Chi Falsa', 'Épsilon SA']],
    ['?country=AT', ['Delta SE']],
    ['?country=at,lu', ['Delta SE', 'Épsilon SA']],
    ['?country=germ', ['alpha AG', 'Beta AG']],
    ['?country=Nowhere', []],
    ['?status=expired', ['alpha AG']],
    ['?status=active,non_compliant', ['Beta AG', 'Chi Falsa', 'Delta SE', 'Épsilon SA']],
    ['?entityType=issuer', ['Épsilon SA']],
    ['?search=ESEMPIO', ['Chi Falsa']],
    ['?search=eps', ['Épsilon SA']],
    ['?search=%25', []],
    ['?licenseType=CASP&status=active&country=DE', ['Beta AG']],
    ['?sortOrder=desc', ['Épsilon SA', 'Delta SE', 'Chi Falsa', 'Beta AG', 'alpha AG']],
    ['?sortBy=authorizationDate', ['Épsilon SA', 'alpha AG', 'Beta AG', 'Chi Falsa', 'Delta SE']],
    ['?sortBy=authorizationDate&sortOrder=desc', ['Chi Falsa', 'Beta AG', 'alpha AG', 'Épsilon SA', 'Delta SE']],
    ['?sortBy=countryCode', ['Delta SE', 'alpha AG', 'Beta AG', 'Chi Falsa', 'Épsilon SA']],
    ['?sortBy=licenseType', ['alpha AG', 'Beta AG', 'Delta SE', 'Épsilon SA', 'Chi Falsa']],
    ['?sortBy=status', ['Beta AG', 'Delta SE', 'Épsilon SA', 'alpha AG', 'Chi Falsa']],
    ['?licenseType=&search=&country=', ['alpha AG', 'Beta AG', 'Chi Falsa', 'Delta SE', 'Épsilon SA']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  it('pages', async () => {
    const { body } = await register.get('/issuers?limit=2&offset=2')
    expect(body.data.map((entry: { entityName: string }) => entry.entityName)).toEqual(['Chi Falsa', 'Delta SE'])
    expect(body.pagination).toEqual({ total: 5, returned: 2, limit: 2, offset: 2, hasMore: true })
    const beyond = await register.get('/issuers?offset=99')
    expect([beyond.body.data, beyond.body.pagination.total]).toEqual([[], 5])
  })

  it.each([
    ['?limit=9999', 500, 0],
    ['?limit=0', 1, 0],
    ['?limit=-5&offset=-5', 1, 0],
    ['?limit=many&offset=some', 100, 0],
  ])('%s is held within bounds', async (query, limit, offset) => {
    expect((await register.get(`/issuers${query}`)).body.pagination).toMatchObject({ limit, offset })
  })

  it('answers only the fields asked for', async () => {
    const { body } = await register.get('/issuers?fields=entityName,services&licenseType=EMT')
    expect(body.data).toEqual([{ entityName: 'Épsilon SA', services: [] }])
  })

  it.each([
    ['licenseType=BANK', 'licenseType'],
    ['status=gone', 'status'],
    ['entityType=x', 'entityType'],
    ['sortBy=address', 'sortBy'],
    ['sortBy=status,entityName', 'sortBy'],
    ['sortOrder=up', 'sortOrder'],
    ['fields=entityName,secret', 'fields'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['country=a&country=b', 'country'],
  ])('refuses %s', async (query, field) => {
    const answer = await register.get(`/issuers?${query}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.details).toEqual([{ field, message: expect.any(String) }])
  })

  it('gives one entry in full by its id', async () => {
    const [{ id }] = (await register.get('/issuers?search=epsilon')).body.data
    const answer = await register.get(`/issuers/${id}`)
    expect(answer.headers['cache-control']).toBe('private, max-age=300')
    expect(answer.body.data).toMatchObject({
      id,
      entityName: 'Épsilon SA',
      sourceFile: 'EMTWP',
      alsoNamed: [],
      dataNotes: [],
      whitePapers: [{ url: null, date: null, tokenIdentifiers: [], countries: [], comments: null }],
      lastUpdate: '2026-01-01',
      firstSeenAt: expect.stringMatching(/Z$/),
    })
    for (const unknown of ['01890000-0000-8000-8000-00000000000e', 'abc']) {
      const missing = await register.get(`/issuers/${unknown}`)
      expect([missing.status, missing.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    const long = await register.get(`/issuers/${'x'.repeat(101)}`)
    expect([long.status, long.body.error.code, long.body.error.details[0].field]).toEqual([
      400,
      'VALIDATION_ERROR',
      'id',
    ])
  })

  it('counts by licence type, country and status, and shows the newest authorisations', async () => {
    const { body, headers } = await register.get('/statistics')
    const licenses = [
      { type: 'CASP', label: 'Crypto-Asset Service Provider', count: 3 },
      { type: 'EMT', label: 'E-Money Token Issuer', count: 1 },
      { type: 'NON_COMPLIANT', label: 'Non-Compliant Entity', count: 1 },
      { type: 'ART', label: 'Asset-Referenced Token Issuer', count: 0 },
      { type: 'OTHER', label: 'Other Crypto-Asset', count: 0 },
    ]
    const countries = [
      { code: 'DE', name: 'Germany', count: 2 },
      { code: 'AT', name: 'Austria', count: 1 },
      { code: 'IT', name: 'Italy', count: 1 },
      { code: 'LU', name: 'Luxembourg', count: 1 },
    ]
    expect(body.data).toEqual({
      totalEntities: 5,
      licenseTypes: licenses,
      countries,
      byStatus: { active: 3, expired: 1, non_compliant: 1 },
      recentAuthorizations: [
        { entityName: 'Beta AG', licenseType: 'CASP', countryCode: 'DE', authorizationDate: '2025-05-01' },
        { entityName: 'alpha AG', licenseType: 'CASP', countryCode: 'DE', authorizationDate: '2025-03-14' },
      ],
    })
    expect(headers['cache-control']).toBe('private, max-age=600')
    expect((await register.get('/license-types')).body.data).toEqual(licenses)
    expect((await register.get('/countries')).body.data).toEqual(countries)
  })
})
