import { seededRandom } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provider } from '../../test/register/lines.ts'
import { createRegisterWorld, type RegisterWorld } from '../../test/register/register-world.ts'
import { connectSuperuser } from '../../test/superuser.ts'
import { foldWords, spellings } from './fold.rules.ts'

const LEI = '529900T8BM49AURSDO55'
const search = (register: RegisterWorld, q: string, rest = '') =>
  register.get(`/search?q=${encodeURIComponent(q)}${rest}`)
const namesFor = async (register: RegisterWorld, q: string) =>
  (await search(register, q)).body.data.map((entry: { entityName: string }) => entry.entityName)

describe('searching the register', () => {
  let register: RegisterWorld

  beforeAll(async () => {
    register = await createRegisterWorld()
    expect((await search(register, 'nordwind')).body).toMatchObject({ data: [], metadata: { source: 'empty' } })
    await register.fill('CASPS', [
      provider({ ae_lei_name: 'Nordwind Verwahrung GmbH', ae_lei: LEI, ae_commercial_name: 'Zephyr | NW-Custody' }),
      provider({ ae_lei_name: 'Alt-Nordwind AG', ae_lei: '391200NORDWIND000042' }),
      provider({ ae_lei_name: 'Zum nordwind', ac_authorisationEndDate: '01/02/2025' }),
      provider({ ae_lei_name: 'Großnordwinde KG' }),
      provider({
        ae_lei_name: 'Società Générale Crypto S.p.A.',
        ae_competentAuthority: 'Autorità per la Vigilanza (AVE)',
        ae_homeMemberState: 'IT',
      }),
      provider({ ae_lei_name: '100% Token_Haus \\ Söhne', ae_lei: '' }),
    ])
  })
  afterAll(() => register.world.close())

  it('answers entries, what it returned, and where from', async () => {
    const answer = await search(register, '  Verwahrung ')
    expect(answer.body).toEqual({
      success: true,
      data: [
        {
          id: expect.any(String),
          entityName: 'Nordwind Verwahrung GmbH',
          entityIdentifier: LEI,
          licenseType: 'CASP',
          entityType: 'provider',
          country: 'Germany',
          countryCode: 'DE',
          nationalAuthority: 'Finanzaufsicht Beispielland (FAB)',
          commercialName: 'Zephyr | NW-Custody',
          authorizationDate: '2025-03-14',
          status: 'active',
        },
      ],
      pagination: { total: 1, returned: 1, query: 'Verwahrung' },
      metadata: { requestId: expect.any(String), timestamp: expect.any(String), source: 'database' },
    })
    expect(answer.headers['cache-control']).toBe('private, max-age=120')
  })

  it('puts prefixes before prefixes of words before any part, each by name', async () => {
    expect(await namesFor(register, 'NORDWIND')).toEqual([
      'Nordwind Verwahrung GmbH',
      'Alt-Nordwind AG',
      'Zum nordwind',
      'Großnordwinde KG',
    ])
  })

  it('puts a whole identifier first, and finds it by its beginning and by any part', async () => {
    for (const q of [LEI, LEI.toLowerCase(), '529900', 'AURSDO'])
      expect(await namesFor(register, q)).toEqual(['Nordwind Verwahrung GmbH'])
  })

  it('looks into commercial names and authorities too', async () => {
    for (const q of ['zephyr', 'nw-cust', 'custody'])
      expect(await namesFor(register, q)).toEqual(['Nordwind Verwahrung GmbH'])
    for (const q of ['autorita', 'AVE', 'vigilanza', 'orità per'])
      expect(await namesFor(register, q)).toEqual(['Società Générale Crypto S.p.A.'])
    expect(await namesFor(register, 'finanzaufsicht')).toHaveLength(5)
  })

  it('knows no difference between accents and cases', async () => {
    for (const q of ['societa generale', 'SOCIETÀ GÉNÉRALE', 'Sociéta  Generale', 's.p.a'])
      expect(await namesFor(register, q)).toEqual(['Società Générale Crypto S.p.A.'])
    for (const q of ['grossnord', 'GROẞNORD', 'großnord'])
      expect(await namesFor(register, q)).toEqual(['Großnordwinde KG'])
  })

  it.each(['100%', '0% to', '% token', 'n_h', '\\ s', 'haus \\'])(
    'takes every character for itself: %j is there',
    async (q) => {
      expect(await namesFor(register, q)).toEqual(['100% Token_Haus \\ Söhne'])
    },
  )

  const hostile = ['%%', '__', '\\\\', "';--", '" or 1=1', 'n%d', 'n_rdwind', '😀😀', '\u0301\u0301', '٪٪', '<b>', '$1']
  it.each(hostile)('takes every character for itself: %j is not there', async (q) => {
    const answer = await search(register, q)
    expect([answer.status, answer.body.data]).toEqual([200, []])
    expect(answer.body.pagination.query).toBe(q)
  })

  it('takes signs that nobody sees for spaces', async () => {
    for (const q of ['zum\u0001nordwind', 'zum\u200b nordwind', 'ZUM\r\n\tNordwind'])
      expect(await namesFor(register, q)).toEqual(['Zum nordwind'])
  })

  it('shows null where the register says nothing', async () => {
    await register.fill('NCASP', [{ ae_lei_name: 'Namenlos Handel' }])
    const { body } = await search(register, 'namenlos')
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        entityName: 'Namenlos Handel',
        entityIdentifier: null,
        licenseType: 'NON_COMPLIANT',
        entityType: 'non_compliant',
        country: null,
        countryCode: null,
        nationalAuthority: null,
        commercialName: null,
        authorizationDate: null,
        status: 'non_compliant',
      },
    ])
  })

  it('tells an ended authorisation', async () => {
    const { body } = await search(register, 'zum nordwind')
    expect(body.data).toMatchObject([{ entityName: 'Zum nordwind', status: 'expired' }])
  })

  it.each([
    ['no q', '/search'],
    ['one character', '/search?q=a'],
    ['one character and spaces', '/search?q=%20a%20%20'],
    ['one sign that is two units', `/search?q=${encodeURIComponent('😀')}`],
    ['201 characters', `/search?q=${'a'.repeat(201)}`],
    ['q twice', '/search?q=aa&q=bb'],
  ])('refuses %s', async (_what, path) => {
    const answer = await register.get(path)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.details[0].field).toBe('q')
    expect(answer.headers).not.toHaveProperty('cache-control')
  })

  it('says how many characters are needed', async () => {
    expect((await register.get('/search?q=a')).body.error.message).toContain('at least 2 characters')
  })

  it('takes 200 characters once trimmed, even of letters that unfold into many', async () => {
    for (const letter of ['a', 'ﷺ', '😀']) {
      const answer = await search(register, ` ${letter.repeat(200)} `)
      expect([answer.status, answer.body.data]).toEqual([200, []])
      expect(answer.body.pagination.query).toBe(letter.repeat(200))
    }
  })

  it.each(['0', '-1', '1.5', 'x', '', '1e2', '99999999999999999999'])('refuses the limit %j', async (limit) => {
    const answer = await search(register, 'nordwind', `&limit=${limit}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.details).toEqual([{ field: 'limit', message: expect.stringContaining('whole number') }])
  })

  it('holds the limit', async () => {
    expect((await search(register, 'nordwind', '&limit=2')).body.pagination).toEqual({
      total: 2,
      returned: 2,
      query: 'nordwind',
    })
    expect((await search(register, 'nordwind', '&limit=1000')).body.pagination.returned).toBe(4)
  })
})

describe('searching for names as people type them', () => {
  let register: RegisterWorld
  const named = (name: string, trade = '') => provider({ ae_lei_name: name, ae_commercial_name: trade })

  beforeAll(async () => {
    register = await createRegisterWorld()
    await register.fill('CASPS', [
      named('Alba Bank AG'),
      named('Alba'),
      named('Zenith GmbH', 'Alba | Zen'),
      named('Zenith Alba SE'),
      named('Coca-Cola'),
      named('Coca Cola Bottling'),
      named('Coca-Cola Abfüllung'),
      named('A.B. Bank'),
      named('CD Bank'),
      named('Kasse St.Gallen'),
      named('Smith & Co'),
      named('Jones Co'),
      named('Müller–Meier'),
      named('Spa Resort Token', 'R.T.'),
      named('Rossi S.p.A.'),
      named('Bitstamp Europe S.A.'),
      named('Bitpanda Europe GmbH'),
      named('Kranich Eins'),
      named('Franich Zwei'),
      named('Kurz Nord'),
      named('Łódźcoin Straße'),
    ])
  })
  afterAll(() => register.world.close())

  it('puts whole names and trade names before prefixes', async () => {
    expect(await namesFor(register, 'ALBA')).toEqual(['Alba', 'Zenith GmbH', 'Alba Bank AG', 'Zenith Alba SE'])
    const few = await search(register, 'alba', '&limit=2')
    expect(few.body.data.map((entry: { entityName: string }) => entry.entityName)).toEqual(['Alba', 'Zenith GmbH'])
  })

  it.each([
    ['ab bank', 'A.B. Bank'],
    ['a.b. bank', 'A.B. Bank'],
    ['A.B.Bank', 'A.B. Bank'],
    ['c.d. bank', 'CD Bank'],
    ['st gallen', 'Kasse St.Gallen'],
    ['st. gallen', 'Kasse St.Gallen'],
    ['st.gallen', 'Kasse St.Gallen'],
    ['c.d.-bank', 'CD Bank'],
    ['smith co', 'Smith & Co'],
    ['smith & co', 'Smith & Co'],
    ['smith&co', 'Smith & Co'],
    ['smith-co.', 'Smith & Co'],
    ['jones & co.', 'Jones Co'],
    ['muller meier', 'Müller–Meier'],
    ['muller-meier', 'Müller–Meier'],
    ['rossi spa', 'Rossi S.p.A.'],
    ['rt', 'Spa Resort Token'],
  ])('whatever the hyphens, ampersands and dots: %j finds %j first', async (q, name) => {
    expect((await namesFor(register, q))[0]).toBe(name)
  })

  it('puts a name that is whole but for its signs before prefixes too', async () => {
    const all = ['Coca-Cola', 'Coca Cola Bottling', 'Coca-Cola Abfüllung']
    expect(await namesFor(register, 'coca cola')).toEqual(all)
    expect((await search(register, 'coca cola', '&limit=1')).body.data).toMatchObject([{ entityName: 'Coca-Cola' }])
  })

  it('puts what is written as typed before what is written differently', async () => {
    expect(await namesFor(register, 'coca-cola')).toEqual(['Coca-Cola', 'Coca-Cola Abfüllung', 'Coca Cola Bottling'])
    expect(await namesFor(register, 's.p.a')).toEqual(['Rossi S.p.A.', 'Spa Resort Token'])
    expect((await search(register, 's.p.a', '&limit=1')).body.data).toHaveLength(1)
  })

  it('takes a query of signs, or of signs and one letter, for what it is', async () => {
    for (const q of ['--', '.-', '&&', '-q']) expect(await namesFor(register, q)).toEqual([])
  })

  it('filters lists by the same spellings', async () => {
    for (const q of ['coca cola', 'coca-cola', 'c.o.c.a. cola']) {
      const { body } = await register.get(`/issuers?search=${encodeURIComponent(q)}&fields=entityName`)
      expect(body.data).toHaveLength(3)
    }
  })

  const word = 'bitstamp'
  const letters = [...word].map((_, place) => place)
  const mistyped = [
    ...letters.slice(1).map((at) => word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1)),
    ...letters.map((at) => `${word.slice(0, at)}q${word.slice(at + 1)}`),
    ...letters.map((at) => word.slice(0, at) + word.slice(at + 1)),
    ...[...letters, word.length].map((at) => `${word.slice(0, at)}q${word.slice(at)}`),
  ]
  it.each(mistyped)('finds Bitstamp for %j', async (q) => {
    for (const text of [q, `${q.toUpperCase()} europe`, `${q} europe sa`])
      expect(await namesFor(register, text)).toEqual(['Bitstamp Europe S.A.'])
  })

  it('corrects one word wherever it stands, also one with letters beyond ASCII', async () => {
    expect(await namesFor(register, 'bitpanda eurpoe')).toEqual(['Bitpanda Europe GmbH'])
    expect(await namesFor(register, 'łódźcion straße')).toEqual(['Łódźcoin Straße'])
    expect(await namesFor(register, 'abfülung')).toEqual(['Coca-Cola Abfüllung'])
    expect(await namesFor(register, 'finanzaufsciht')).toHaveLength(20)
  })

  it('gives all that one edit leads to, by name, and holds the limit', async () => {
    expect(await namesFor(register, 'xranich')).toEqual(['Franich Zwei', 'Kranich Eins'])
    const { body } = await search(register, 'xranich', '&limit=1')
    expect(body.pagination).toEqual({ total: 1, returned: 1, query: 'xranich' })
    expect(body.data).toMatchObject([{ entityName: 'Franich Zwei' }])
  })

  it.each(['bitsatpm', 'bitstampers', 'bistsamp', 'btsatmp', 'bitsatmp eurpoe', 'bitsatmp gmbh'])(
    'finds nothing for %j: more than one edit, or nobody of that name',
    async (q) => {
      const { body } = await search(register, q)
      expect([body.data, body.metadata.source]).toEqual([[], 'database'])
    },
  )

  it('corrects no word under five letters, and corrects nothing where something is found', async () => {
    for (const q of ['kruz', 'krz', 'kurx', 'kurzz', 'kruz nord']) expect(await namesFor(register, q)).toEqual([])
    expect(await namesFor(register, 'franich')).toEqual(['Franich Zwei'])
  })
})

describe('searching many entities', () => {
  let register: RegisterWorld
  const random = seededRandom(20)
  const words = [
    'Capital',
    'Italcoin',
    'Digital',
    'Bank',
    'Alba',
    'Ab',
    'Qx',
    'Zeta',
    'Non-Bank',
    'Crypto',
    'capitals',
    'Vault',
  ]
  const entities = Array.from({ length: 1_600 }, (_, index) => ({
    name: `${random.pick(words)} ${random.chance(0.8) ? 'Capital' : random.pick(words)} ${index.toString(36)}`,
    trade: random.chance(0.3) ? random.pick(words) : '',
    // One is no more than how all the others begin.
    identifier: `5299${index === 800 ? '' : random.hex(8).slice(2).toUpperCase()}`,
    authority: random.pick(['Banca d’Esempio (BDE)', 'Example Central Bank', 'Bezirksaufsicht']),
  }))

  beforeAll(async () => {
    register = await createRegisterWorld()
    const report = await register.fill(
      'CASPS',
      entities.map(({ name, trade, identifier, authority }) =>
        provider({
          ae_lei_name: name,
          ae_lei: identifier,
          ae_commercial_name: trade,
          ae_competentAuthority: authority,
        }),
      ),
    )
    expect(report).toMatchObject({ outcome: 'imported', entities: entities.length, malformedRows: 0 })
  })
  afterAll(() => register.world.close())

  const folded = entities.map(({ name, trade, identifier, authority }) => ({
    name,
    key: foldWords(name),
    names: [name, trade].flatMap(spellings).map(foldWords),
    identifier: foldWords(identifier),
    authorities: spellings(authority).map(foldWords),
  }))

  /** The plainest way to the same answer. */
  function expected(q: string, limit: number): string[] {
    const wanted = foldWords(q)
    const tierOf = (field: string): number => {
      const text = ` ${field}`
      return text.startsWith(` ${wanted}`) ? 2 : text.includes(` ${wanted}`) ? 3 : text.includes(wanted) ? 4 : 5
    }
    return folded
      .map(({ name, key, names, identifier, authorities }) => ({
        name,
        key,
        tier: [...names, identifier].includes(wanted)
          ? 1
          : Math.min(...[...names, identifier, ...authorities].map(tierOf)),
      }))
      .filter(({ tier }) => tier < 5)
      .sort((a, b) => a.tier - b.tier || (a.key < b.key ? -1 : 1))
      .slice(0, limit)
      .map(({ name }) => name)
  }

  it('gives twenty unless told, and never more than a hundred', async () => {
    const returned = async (rest: string) => (await search(register, 'capital', rest)).body.pagination
    expect(await returned('')).toEqual({ total: 20, returned: 20, query: 'capital' })
    for (const limit of ['100', '101', '5000'])
      expect(await returned(`&limit=${limit}`)).toEqual({ total: 100, returned: 100, query: 'capital' })
  })

  const queries = [
    'capital',
    'ital',
    'al',
    'ba',
    'bank',
    'qx',
    'zeta capital',
    '5299',
    'ap',
    'central',
    '(bde',
    'de',
    'crypto c',
    'pital 1',
    'é',
    'capitals',
    'non bank',
    'vault',
    'qx capital 1',
  ]
  const asked = queries.flatMap((q) => [1, 3, 20, 100].map((limit): [string, number] => [q.padEnd(2, '\u0301'), limit]))
  const answerTo = async (q: string, limit: number) =>
    (await search(register, q, `&limit=${limit}`)).body.data.map((entry: { entityName: string }) => entry.entityName)

  it.each(asked)('%j with limit %i gives what comparing them all would give', async (q, limit) => {
    expect(await answerTo(q, limit)).toEqual(expected(q, limit))
  })

  const frequent = ` ${queries.join(' ')}`.repeat(3)
  it.each([
    ['there is none', null, '00'],
    ['it shows everything as rare', '', '00'],
    ['it shows every gram as frequent, and every text as rare', '', 'ff'],
    ['it shows everything as frequent', frequent, 'ff'],
  ])('gives the same whatever the sample says that tells frequent from rare: %s', async (_what, texts, gram) => {
    const superuser = connectSuperuser(register.world.databaseUrl)
    await superuser`delete from register_sample`
    if (texts !== null)
      await superuser`insert into register_sample (texts, grams) values (${texts}, decode(repeat(${gram}, 4096), 'hex'))`
    await superuser.end()
    for (const [q, limit] of asked) expect([q, await answerTo(q, limit)]).toEqual([q, expected(q, limit)])
  })
})
