import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cells, fileOf, provider } from '../../test/register/lines.ts'
import { createRegisterWorld, type RegisterWorld } from '../../test/register/register-world.ts'
import { connectSuperuser } from '../../test/superuser.ts'

const named = (name: string, cells: Cells = {}) => provider({ ae_lei_name: name, ...cells })
const many = (count: number) => Array.from({ length: count }, (_, index) => named(`Entity ${index}`))

describe('an import', () => {
  let register: RegisterWorld
  beforeEach(async () => {
    register = await createRegisterWorld()
  })
  afterEach(() => register.world.close())

  const names = async () =>
    (await register.get('/issuers?fields=entityName')).body.data.map((one: { entityName: string }) => one.entityName)
  const health = async (file: string) =>
    (await register.get('/health')).body.data.files.find((one: { file: string }) => one.file === file)
  const changes = async (query = '') => (await register.get(`/changes${query}`)).body

  it('replaces its file, tells what changed, and keeps ids', async () => {
    expect((await register.get('/health')).body.data).toMatchObject({
      status: 'empty',
      totalIssuers: 0,
      lastSync: null,
      lastFailure: null,
    })
    expect(await changes()).toMatchObject({ data: [], pagination: { returned: 0, hasMore: false, nextCursor: null } })
    const first = await register.fill('CASPS', [named('A'), named('B'), named('C')])
    expect(first).toMatchObject({
      outcome: 'imported',
      importNumber: 1,
      rows: 3,
      entities: 3,
      added: 3,
      changed: 0,
      removed: 0,
    })
    await register.fill('NCASP', [{ ae_lei_name: 'X', ae_homeMemberState: 'IT' }])
    const ids = async () => (await register.get('/issuers?licenseType=CASP&fields=id,entityName')).body.data
    const before = await ids()
    const { nextCursor } = (await changes()).pagination
    expect((await changes(`?cursor=${nextCursor}`)).pagination.nextCursor).toBe(nextCursor)

    register.world.clock.advance(60_000)
    const second = await register.fill(
      'CASPS',
      [named('D'), named('B', { ae_address: 'New street 1', ac_serviceCode: 'j' }), named('A')],
      true,
    )
    expect(second).toMatchObject({ outcome: 'imported', importNumber: 3, added: 1, changed: 1, removed: 1 })
    expect(await names()).toEqual(['A', 'B', 'D', 'X'])
    const after = await ids()
    for (const name of ['A', 'B'])
      expect(after.find((one: { entityName: string }) => one.entityName === name)).toEqual(
        before.find((one: { entityName: string }) => one.entityName === name),
      )
    const feed = await changes(`?cursor=${nextCursor}`)
    expect(feed.data).toHaveLength(3)
    expect(feed.data).toContainEqual(
      expect.objectContaining({
        importNumber: 3,
        file: 'CASPS',
        kind: 'changed',
        entityName: 'B',
        licenseType: 'CASP',
        fields: [
          { field: 'address', before: null, after: 'New street 1' },
          { field: 'services', before: ['a'], after: ['j'] },
        ],
      }),
    )
    expect(feed.data).toContainEqual(expect.objectContaining({ kind: 'added', entityName: 'D', fields: [] }))
    const removed = feed.data.find(({ kind }: { kind: string }) => kind === 'removed')
    expect(removed.entityName).toBe('C')
    expect(removed.fields).toContainEqual({ field: 'authorizationDate', before: '2025-03-14', after: null })
    const details = (await register.get(`/issuers/${after[1].id}`)).body.data
    expect(details.changedAt > details.firstSeenAt).toBe(true)
  })

  it('gives an identifier that two firms carry to the one of the other files, and tells that the rest left it', async () => {
    const shared = '529900T8BM49AURSDO55'
    const paper = (cells: Cells): Cells => ({ ae_homeMemberState: 'DE', wp_lastupdate: '01/02/2026', ...cells })
    const rightful = paper({ ae_lei_name_casp: 'Platform AG', ae_lei_casp: shared, wp_url: 'https://a.example/1.pdf' })
    const mistaken = paper({
      ae_lei_name: 'Unrelated Mining Ltd',
      ae_lei: shared,
      ae_lei_name_casp: 'Harbour Exchange',
    })
    const rows = [rightful, mistaken, { ...mistaken, wp_url: 'https://b.example/2.pdf' }]
    await register.fill('CASPS', [named('Platform AG', { ae_lei: shared })])
    await register.fill('OTHER', [rightful])
    const [{ id }] = (await register.get('/issuers?licenseType=OTHER')).body.data
    const { nextCursor } = (await changes()).pagination
    expect(await register.fill('OTHER', rows)).toMatchObject({ outcome: 'imported', added: 1, changed: 0, removed: 0 })
    const { data } = await changes(`?cursor=${nextCursor}`)
    expect(data).toMatchObject([{ kind: 'added', entityName: 'Unrelated Mining Ltd', file: 'OTHER' }])
    expect((await register.get(`/issuers/${id}`)).body.data).toMatchObject({ entityName: 'Platform AG', dataNotes: [] })
    const other = (await register.get(`/issuers/${data[0].id}`)).body.data
    expect(other.dataNotes).toEqual(['IDENTIFIER_OF_ANOTHER'])
    expect(other.whitePapers).toHaveLength(2)
    expect(other.whitePapers[0]).toMatchObject({ issuerName: 'Unrelated Mining Ltd', providerName: 'Harbour Exchange' })
    const found = async (q: string) =>
      (await register.get(`/search?q=${q}`)).body.data.map((one: { id: string }) => one.id)
    expect(await found('harbour%20exch')).toEqual([other.id])
    expect(await found('unrelated')).toEqual([other.id])
  })

  it('lets the feed be read page by page and filtered', async () => {
    await register.fill('CASPS', many(7))
    await register.fill('NCASP', [{ ae_lei_name: 'X', ae_homeMemberState: 'IT' }])
    const seen: string[] = []
    let cursor = ''
    for (let page = await changes('?limit=3'); ; page = await changes(`?limit=3&cursor=${cursor}`)) {
      seen.push(...page.data.map((one: { id: string }) => one.id))
      cursor = page.pagination.nextCursor
      if (!page.pagination.hasMore) break
    }
    expect(new Set(seen).size).toBe(8)
    expect(seen).toHaveLength(8)
    expect((await changes('?licenseType=NON_COMPLIANT')).data).toHaveLength(1)
    expect((await changes('?kind=removed,changed')).data).toEqual([])
    for (const [query, field] of [
      ['?cursor=abc', 'cursor'],
      ['?kind=moved', 'kind'],
      ['?licenseType=x', 'licenseType'],
    ]) {
      const { status, body } = await register.get(`/changes${query}`)
      expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'VALIDATION_ERROR', field])
    }
  })

  it('of the same bytes changes nothing', async () => {
    await register.fill('CASPS', many(3))
    expect(await register.fill('CASPS', many(3))).toEqual({ source: 'CASPS.csv', file: 'CASPS', outcome: 'unchanged' })
    expect((await changes()).data).toHaveLength(3)
  })

  it('of the same bytes writes every entity again when an older release wrote them, and calls none changed', async () => {
    const rows = [named('Coca-Cola'), named('B')]
    await register.fill('CASPS', rows)
    const before = (await register.get('/issuers')).body.data
    const details = async () => (await register.get(`/issuers/${before[1].id}`)).body.data
    const { changedAt, firstSeenAt } = await details()
    const superuser = connectSuperuser(register.world.databaseUrl)
    await superuser`update register_imports set reading = reading - 1`
    await superuser`update register_entities set search_text = name_key`
    await superuser`delete from register_trade_names`
    await superuser`delete from register_words`
    register.world.clock.advance(60_000)
    expect((await register.get('/search?q=coca%20cola')).body.data).toEqual([])
    expect(await register.fill('CASPS', rows)).toMatchObject({ outcome: 'imported', added: 0, changed: 0, removed: 0 })
    expect((await register.get('/search?q=coca%20cola')).body.data).toMatchObject([{ entityName: 'Coca-Cola' }])
    expect((await register.get('/search?q=finanzaufsciht')).body.data).toHaveLength(2)
    expect(await superuser`select word from register_words order by 1`).toEqual(
      ['beispielland', 'finanzaufsicht'].map((word) => ({ word })),
    )
    const [sample] = await superuser`
      select texts, get_byte(grams, tally_gram_slot('coc')) as twice, get_byte(grams, tally_gram_slot('a- ')) as once
      from register_sample`
    expect(sample?.texts.split('\n').sort()).toEqual(['', ' b', ' coca cola', ' coca- cola'])
    expect(sample).toMatchObject({ twice: 2, once: 1 })
    await superuser.end()
    expect((await register.get('/issuers')).body.data).toEqual(before)
    expect(await details()).toMatchObject({ changedAt, firstSeenAt })
    expect((await changes()).data).toHaveLength(2)
    expect(await register.fill('CASPS', rows)).toMatchObject({ outcome: 'unchanged' })
  })

  it('is on record with its source, date, hash and what could not be read', async () => {
    await register.fill('CASPS', [named('A'), 'too,few', named('B')])
    expect(await health('CASPS')).toEqual({
      file: 'CASPS',
      source: 'CASPS.csv',
      sourceDate: '2026-01-02T03:04:05.000Z',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      importedAt: expect.any(String),
      checkedAt: expect.any(String),
      rows: 2,
      entities: 2,
      malformedRows: 1,
      lastFailure: null,
    })
    expect((await register.get('/health')).body.data).toMatchObject({
      status: 'operational',
      totalIssuers: 2,
      apiVersion: 'v1',
      lastSync: expect.any(String),
    })
  })

  it('that is refused leaves everything as it was, and is on record', async () => {
    await register.fill('CASPS', many(10))
    const cut = { bytes: fileOf('CASPS', many(20)).subarray(0, -30), date: null }
    expect(await register.imports.importBytes('CASPS.csv', cut)).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('cut short'),
    })
    const misnamed = { bytes: fileOf('NCASP', []), date: null }
    expect(await register.imports.importBytes('/tmp/casps-2026.csv', misnamed)).toMatchObject({
      file: 'CASPS',
      reason: 'it is called CASPS, but its header is that of NCASP',
    })
    expect(await names()).toHaveLength(10)
    expect((await changes()).data).toHaveLength(10)
    expect(await health('CASPS')).toMatchObject({
      rows: 10,
      lastFailure: { source: '/tmp/casps-2026.csv', reason: expect.stringContaining('NCASP') },
    })
    expect(await register.imports.importBytes('what.csv', { bytes: Buffer.from('x'), date: null })).toMatchObject({
      file: null,
      outcome: 'refused',
    })
    expect((await register.get('/health')).body.data.lastFailure).toMatchObject({ source: 'what.csv' })
  })

  it('is refused when more than a fifth of the rows is gone, unless the operator knows better', async () => {
    await register.fill('CASPS', many(10))
    expect(await register.fill('CASPS', many(7))).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('7 rows where the last import had 10'),
    })
    expect(await names()).toHaveLength(10)
    expect(await register.fill('CASPS', many(8))).toMatchObject({ outcome: 'imported', removed: 2 })
    expect(await register.fill('CASPS', many(1), true)).toMatchObject({ outcome: 'imported', removed: 7 })
  })

  it('that fails in the middle leaves everything as it was', async () => {
    await register.fill('CASPS', many(5))
    const superuser = connectSuperuser(register.world.databaseUrl)
    await superuser`revoke insert on register_changes from tally_register`
    await expect(register.fill('CASPS', many(6))).rejects.toThrow('permission denied')
    expect(await names()).toHaveLength(5)
    await superuser`grant insert on register_changes to tally_register`
    expect(await register.fill('CASPS', many(6))).toMatchObject({ outcome: 'imported', importNumber: 2, added: 1 })
    await superuser.end()
  })

  it('waits for one that is running, so that none sees half of another', async () => {
    const reports = await Promise.all([10, 11, 12, 13].map((count) => register.fill('CASPS', many(count), true)))
    expect(reports.map(({ importNumber }) => importNumber).sort()).toEqual([1, 2, 3, 4])
    const last = reports.find(({ importNumber }) => importNumber === 4)
    expect(await names()).toHaveLength(last?.entities ?? 0)
    const feed = (await changes()).data as { kind: string }[]
    const sum = feed.reduce((total, { kind }) => total + (kind === 'added' ? 1 : kind === 'removed' ? -1 : 0), 0)
    expect(sum).toBe(last?.entities)
  })
})

describe('a register key', () => {
  it('opens nothing any more once it is revoked, though it was remembered', async () => {
    const register = await createRegisterWorld()
    expect((await register.get('/countries')).status).toBe(200)
    const superuser = connectSuperuser(register.world.databaseUrl)
    await superuser`update register_keys set status = 'REVOKED'`
    const answer = await register.get('/countries')
    expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_FAILED'])
    await superuser.end()
    await register.world.close()
  })
})
