import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { fileOf, headers, lineOf, provider } from '../../test/register/lines.ts'
import { mergeEntities, type Owners } from './merge.rules.ts'
import { RefusedFileError, readFile } from './read-file.rules.ts'

const LEI = '529900T8BM49AURSDO55'
const read = (bytes: Buffer, owners?: Owners) => {
  const { statements, ...rest } = readFile(bytes)
  return { ...rest, entities: mergeEntities(statements, owners) }
}
const only = (bytes: Buffer) => {
  const { entities, malformed } = read(bytes)
  expect([entities.length, malformed]).toEqual([1, []])
  const [entity] = entities
  if (!entity) throw new Error('no entity')
  return entity
}
const refusal = (bytes: Buffer): string => {
  try {
    readFile(bytes)
  } catch (error) {
    if (error instanceof RefusedFileError) return error.message
    throw error
  }
  return 'taken'
}

describe('a file of providers', () => {
  it('gives an entry with everything that is published', () => {
    const cells = {
      ae_lei_name: 'Nordwind Verwahrung GmbH',
      ae_lei: LEI,
      ae_commercial_name: 'Nordwind | NW Custody',
      ae_address: 'Hafenstraße 1, 20457 Hamburg',
      ae_website: 'https://nordwind.example',
      ae_website_platform: 'https://app.nordwind.example',
      ac_comments: 'First line\r\nsecond line',
    }
    expect(only(fileOf('CASPS', [provider(cells)]))).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      file: 'CASPS',
      entityName: 'Nordwind Verwahrung GmbH',
      entityIdentifier: LEI,
      licenseType: 'CASP',
      entityType: 'provider',
      country: 'Germany',
      countryCode: 'DE',
      nationalAuthority: 'Finanzaufsicht Beispielland (FAB)',
      commercialName: 'Nordwind | NW Custody',
      address: 'Hafenstraße 1, 20457 Hamburg',
      website: 'https://nordwind.example',
      websitePlatform: 'https://app.nordwind.example',
      authorizationDate: '2025-03-14',
      authorizationEndDate: null,
      services: ['a'],
      passportedCountries: ['AT', 'DE', 'FR'],
      comments: 'First line\nsecond line',
      alsoNamed: [],
      whitePapers: [],
      dataNotes: [],
      lastUpdate: '2025-03-20',
    })
  })

  it('merges the rows of one entity, in whatever order they come', () => {
    const rows = [
      provider({ ae_lei_name: 'Nordwind Verwahrung GmbH', ae_lei: LEI }),
      provider({
        ae_lei_name: 'Nordwind  Verwahrung GmbH',
        ae_lei: `${LEI}.`,
        ac_authorisationNotificationDate: '01.12.2025',
        ac_serviceCode: 'j. providing transfer services for crypto-assets on behalf of clients',
        ac_serviceCode_cou: 'EL|SL',
        ac_lastupdate: '02/12/2025',
      }),
      provider({ ae_lei_name: 'Nordwind Verwahrung GmbH', ae_lei: LEI }),
    ]
    const merged = only(fileOf('CASPS', rows))
    expect(merged).toMatchObject({
      authorizationDate: '2025-03-14',
      services: ['a', 'j'],
      passportedCountries: ['AT', 'DE', 'FR', 'GR', 'SI'],
      lastUpdate: '2025-12-02',
    })
    expect(only(fileOf('CASPS', [...rows].reverse()))).toEqual(merged)
  })

  it('has ended only when every authorisation of the entity has', () => {
    const row = (end: string) => provider({ ae_lei_name: 'N', ae_lei: LEI, ac_authorisationEndDate: end })
    const endOf = (...ends: string[]) => only(fileOf('CASPS', ends.map(row))).authorizationEndDate
    expect(endOf('01/01/2026', '01/02/2026')).toBe('2026-02-01')
    expect(endOf('01/01/2026', '')).toBeNull()
  })

  it('keeps apart who differs in name, home state or identifier', () => {
    const rows = [
      provider({ ae_lei_name: 'Alpha AG' }),
      provider({ ae_lei_name: 'ALPHA  ag' }),
      provider({ ae_lei_name: 'Alpha AG', ae_homeMemberState: 'AT' }),
      provider({ ae_lei_name: 'Beta AG', ae_lei: LEI }),
    ]
    expect(read(fileOf('CASPS', rows)).entities).toHaveLength(3)
  })

  it.each([
    ['Nordwind Verwahrung GmbH', 'NORDWIND-Verwahrung G.m.b.H.'],
    ['Nordwind Verwahrung AG', 'Nordwind Verwahrung SE'],
    ['Nordwind Verwahrung GmbH', 'Nordwind Verwahrung GmbH (formerly Südwind)'],
    ['Nordwind Verwahrung GmbH', 'Nordwind Verwarhung GmbH'],
    ['Straßenbank AG', 'Stra\uFFFDenbank AG'],
  ])('joins %j and %j under one identifier, and notes that they differ', (one, other) => {
    const entity = only(
      fileOf('CASPS', [
        provider({ ae_lei_name: one, ae_lei: LEI }),
        provider({ ae_lei_name: other, ae_lei: LEI, ac_lastupdate: '01/01/2025' }),
      ]),
    )
    expect(entity).toMatchObject({ entityName: one, alsoNamed: [other] })
    expect(entity.dataNotes).toContain('NAMES_DIFFER')
  })

  it('gives the same ids for any rows in any order', () => {
    const rows = Array.from({ length: 60 }, (_, index) =>
      provider({
        ae_lei_name: `Entity ${index % 40}`,
        ae_lei: index % 3 === 0 ? LEI.replace('5299', String(5000 + (index % 40))) : '',
      }),
    )
    const idsOf = (some: typeof rows) => new Set(read(fileOf('CASPS', some)).entities.map(({ id }) => id))
    const idOfRow = (row: (typeof rows)[number]) => [...idsOf([row])][0] ?? ''
    const random = seededRandom(7)
    for (let turn = 0; turn < 30; turn += 1) {
      const shuffled = random.shuffled(rows).slice(0, random.integer(1, rows.length))
      expect(idsOf(shuffled)).toEqual(new Set(shuffled.map(idOfRow)))
    }
  })

  it('repairs an address that came apart at its comma', () => {
    const whole = provider({
      ae_lei_name: 'Voile SAS',
      ae_homeMemberState: 'FR',
      ae_address: 'ADDRESS',
      ae_website: 'https://voile.example',
      ae_website_platform: 'https://app.voile.example',
    })
    const longer = lineOf('CASPS', whole).replace('ADDRESS', '1 rue du Port, 75001 Paris')
    const expected = {
      address: '1 rue du Port, 75001 Paris',
      website: 'https://voile.example',
      dataNotes: ['CELLS_SHIFTED'],
    }
    // The nameless column takes the cell too many, or the row is longer than the header.
    for (const line of [longer.replace(/,$/, ''), longer])
      expect(only(fileOf('CASPS', [line]))).toMatchObject({
        ...expected,
        lastUpdate: '2025-03-20',
        websitePlatform: 'https://app.voile.example',
      })
    const displaced = {
      ...whole,
      ae_address: '1 rue du Port',
      ae_website: '75001 Paris',
      ae_website_platform: 'https://voile.example',
    }
    expect(only(fileOf('CASPS', [displaced]))).toMatchObject({ ...expected, websitePlatform: null })
  })

  it('notes what cannot be read instead of guessing', () => {
    const entity = only(
      fileOf('CASPS', [
        provider({
          ae_lei_name: 'Sch\uFFFDnfeld Аlpha',
          ae_lei: '12345',
          ac_authorisationNotificationDate: '03/14/2025',
          ac_serviceCode: 'teleportation',
          ac_serviceCode_cou: 'DE|BVI',
        }),
      ]),
    )
    expect(entity).toMatchObject({
      entityName: 'Sch\uFFFDnfeld Аlpha',
      entityIdentifier: '12345',
      authorizationDate: null,
      services: [],
    })
    expect(entity.dataNotes).toEqual(
      [
        'IDENTIFIER_FORM',
        'LOST_CHARACTERS',
        'MIXED_SCRIPTS',
        'UNREADABLE_COUNTRY',
        'UNREADABLE_DATE',
        'UNREADABLE_SERVICE',
      ].sort(),
    )
    expect(only(fileOf('CASPS', [provider({ ae_lei_name: 'A', ae_lei: '529900T8BM49AURSDO56' })])).dataNotes).toEqual([
      'IDENTIFIER_CHECKSUM',
    ])
  })

  it('passes over headers and blank rows among the data, and reads rows without the nameless column', () => {
    const line = lineOf('CASPS', provider({ ae_lei_name: 'A' }))
    const bytes = fileOf('CASPS', [headers.CASPS.join(','), ',,,,,,,,,,,,,,,', '', line.replace(/,$/, '')])
    expect(read(bytes)).toMatchObject({ rows: 1, malformed: [] })
    const older = Buffer.from(`\uFEFF${headers.CASPS.slice(0, 15).join(',')}\r\n${line.replace(/,$/, '')}\r\n`)
    expect(read(older)).toMatchObject({ rows: 1, malformed: [] })
  })

  it('loses no good row to a malformed one, and tells line and reason', () => {
    const good = (name: string) => provider({ ae_lei_name: name, ae_address: 'Two\r\nlines' })
    const bytes = fileOf('CASPS', [
      good('A'),
      'too,few,cells',
      good('B'),
      lineOf('CASPS', provider({ ae_lei_name: 'C' })).replace('C,', 'C "quoted" C,'),
      `"never closed,DE,D`,
      good('E'),
      provider({ ae_lei_name: '' }),
      good('F'),
    ])
    const { entities, malformed } = read(bytes)
    expect(entities.map(({ entityName }) => entityName).sort()).toEqual(['A', 'B', 'E', 'F'])
    expect(malformed).toEqual([
      { line: 4, reason: 'has 3 cells where the header has 16' },
      { line: 7, reason: 'a quote stands inside a cell without quotes' },
      { line: 8, reason: expect.any(String) },
      { line: 11, reason: 'names nobody' },
    ])
  })
})

describe('the other files', () => {
  it('give issuers of tokens with their white papers, one entry per issuer', () => {
    const row = (cells: Record<string, string>) => ({
      ae_competentAuthority: 'Banque Exemple',
      ae_homeMemberState: 'LU',
      ae_lei_name: 'Monnaie SA',
      ae_lei: LEI,
      ac_authorisationNotificationDate: '02/05/1979',
      ac_authorisationEndDate: 'n/a',
      ae_exemption48_4: 'NO',
      wp_lastupdate: '01/02/2026',
      ...cells,
    })
    const papers = [
      row({
        wp_url: 'https://monnaie.example/one.pdf',
        wp_authorisationNotificationDate: '01/09/2025',
        ae_DTI_FFG: '4H95J0R2X',
        ae_DTI: 'X9J9K872S (Ethereum)',
      }),
      row({ wp_url: 'EMT_NO_WP', wp_comments: 'second' }),
      row({ wp_url: 'EMT_NO_WP', wp_comments: 'second' }),
    ]
    const emt = only(fileOf('EMTWP', papers))
    expect(emt).toMatchObject({
      licenseType: 'EMT',
      entityType: 'issuer',
      authorizationDate: '1979-05-02',
      authorizationEndDate: null,
      comments: 'second',
    })
    expect(emt.whitePapers).toEqual([
      {
        url: 'EMT_NO_WP',
        date: null,
        tokenIdentifiers: [],
        countries: [],
        comments: 'second',
        issuerName: 'Monnaie SA',
        providerName: null,
      },
      {
        url: 'https://monnaie.example/one.pdf',
        date: '2025-09-01',
        tokenIdentifiers: ['4H95J0R2X', 'X9J9K872S'],
        countries: [],
        comments: null,
        issuerName: 'Monnaie SA',
        providerName: null,
      },
    ])
    const art = only(fileOf('ARTZZ', [row({ wp_url: 'a.example', wp_url_cou: 'LU/BE' })]))
    expect(art).toMatchObject({ licenseType: 'ART', entityType: 'issuer', passportedCountries: ['BE', 'LU'] })
  })

  it('name who offers when a white paper names no issuer', () => {
    const row = {
      ae_homeMemberState: 'IE',
      ae_offerCode_cou: 'IE | FR',
      wp_url: 'https://w.example/p.pdf',
      wp_lastupdate: '01/02/2026',
    }
    const names: Record<string, string>[] = [
      { ae_lei_name: 'Issuer Ltd', ae_lei: 'n/a' },
      { ae_lei_name: '', ae_lei_name_casp: 'Platform Ltd', ae_lei_casp: LEI },
      { ae_lei_name: 'not available', ae_lei_name_casp: 'Platform Ltd', ae_lei_casp: LEI },
    ]
    const { entities } = read(
      fileOf(
        'OTHER',
        names.map((name) => ({ ...row, ...name })),
      ),
    )
    expect(entities).toHaveLength(2)
    expect(entities).toContainEqual(
      expect.objectContaining({
        entityName: 'Platform Ltd',
        entityIdentifier: LEI,
        entityType: 'whitepaper',
        websitePlatform: 'https://w.example/p.pdf',
        authorizationDate: null,
      }),
    )
    expect(entities).toContainEqual(
      expect.objectContaining({ entityName: 'Issuer Ltd', entityIdentifier: null, passportedCountries: ['FR', 'IE'] }),
    )
  })

  describe('whose rows share an identifier', () => {
    const paper = (cells: Record<string, string>) => ({
      ae_homeMemberState: 'LI',
      wp_lastupdate: '01/02/2026',
      ...cells,
    })
    const offered = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        paper({ ae_lei_name_casp: 'Platform AG', ae_lei_casp: LEI, wp_url: `https://platform.example/${index}.pdf` }),
      )
    // Newer than the others, so that it would give its name to all of them.
    const mistaken = paper({
      ae_lei_name: 'Unrelated Mining Ltd',
      ae_lei: LEI,
      wp_url: 'https://unrelated.example/p.pdf',
      wp_lastupdate: '01/03/2026',
    })
    const idOf = (rows: Record<string, string>[], name: string, owners?: Owners) =>
      read(fileOf('OTHER', rows), owners).entities.find(({ entityName }) => entityName === name)?.id

    it('are not joined: the name of most rows keeps it, the other is an entity of its own', () => {
      const { entities } = read(fileOf('OTHER', [...offered(38), mistaken]))
      expect(entities).toHaveLength(2)
      const [platform, unrelated] = ['Platform AG', 'Unrelated Mining Ltd'].map((name) =>
        entities.find(({ entityName }) => entityName === name),
      )
      expect(platform).toMatchObject({ entityIdentifier: LEI, alsoNamed: [], dataNotes: [] })
      expect(platform?.whitePapers).toHaveLength(38)
      expect(platform?.id).toBe(idOf(offered(1), 'Platform AG'))
      expect(unrelated).toMatchObject({ entityIdentifier: LEI, alsoNamed: [], dataNotes: ['IDENTIFIER_OF_ANOTHER'] })
      expect(unrelated?.whitePapers).toMatchObject([{ issuerName: 'Unrelated Mining Ltd', providerName: null }])
      expect(unrelated?.id).toBe(idOf([{ ...mistaken, ae_lei: '' }], 'Unrelated Mining Ltd'))
    })

    it('are not joined in any order of rows, and the newest keeps it where each name stands once', () => {
      const rows = [...offered(1), mistaken]
      const { entities } = read(fileOf('OTHER', rows))
      expect(read(fileOf('OTHER', [...rows].reverse())).entities).toEqual(entities)
      expect(entities.filter(({ dataNotes }) => dataNotes.length > 0)).toMatchObject([{ entityName: 'Platform AG' }])
    })

    it('give it to whom the other files know under it, however many rows say otherwise', () => {
      const rows = [...Array.from({ length: 3 }, () => mistaken), ...offered(1)]
      const owners = new Map([[LEI, ['PLATFORM A.G.']]])
      expect(idOf(rows, 'Platform AG', owners)).toBe(idOf(offered(1), 'Platform AG'))
      expect(idOf(rows, 'Platform AG')).not.toBe(idOf(offered(1), 'Platform AG'))
    })

    it('take no name from another party', () => {
      const nameless = paper({ ae_lei: LEI, ae_lei_name_casp: 'Platform AG', ae_lei_casp: '391200NORDWIND000042' })
      const issuer = paper({ ae_lei_name: 'Issuer Ltd', ae_lei: LEI, wp_lastupdate: '01/01/2020' })
      expect(only(fileOf('OTHER', [nameless, issuer]))).toMatchObject({ entityName: 'Issuer Ltd', alsoNamed: [] })
      expect(only(fileOf('OTHER', [nameless]))).toMatchObject({ entityName: LEI, alsoNamed: [] })
      expect(idOf([nameless], 'Issuer Ltd', new Map([[LEI, ['Issuer Ltd']]]))).toBe(idOf([issuer], 'Issuer Ltd'))
      expect(only(fileOf('OTHER', [nameless])).whitePapers).toMatchObject([
        { issuerName: null, providerName: 'Platform AG' },
      ])
    })
  })

  it('name those who act without an authorisation', () => {
    const row = {
      ae_competentAuthority: 'Autorità Esempio',
      ae_homeMemberState: 'IT',
      ae_infrigment: 'No',
      ae_decision_date: '05/06/2025',
      ae_lastupdate: '06/06/2025',
    }
    const named = only(
      fileOf('NCASP', [
        { ...row, ae_lei_name: 'Falsa Borsa', ae_reason: 'None', ae_comments: 'Blocked', ae_website: 'falsa.example' },
      ]),
    )
    expect(named).toMatchObject({
      licenseType: 'NON_COMPLIANT',
      entityType: 'non_compliant',
      authorizationDate: '2025-06-05',
      comments: 'Blocked',
      website: 'falsa.example',
    })
    expect(only(fileOf('NCASP', [{ ...row, ae_website: 'falsa.example' }])).entityName).toBe('falsa.example')
  })

  it('may hold no row at all', () => {
    expect(read(Buffer.from(`\uFEFF${headers.ARTZZ.join(',')}\n`))).toEqual({
      file: 'ARTZZ',
      rows: 0,
      entities: [],
      malformed: [],
    })
  })
})

describe('a file that is no UTF-8', () => {
  const rows = [
    provider({ ae_lei_name: 'Société Générale Œuvre – €', ae_competentAuthority: 'Aufsicht' }),
    provider({ ae_lei_name: 'Plain Ltd' }),
  ]
  /** Windows-1252 agrees with Latin-1 but for these. */
  const western = (text: string) =>
    Buffer.from(
      text.replace(/[Œ–€]/g, (sign) => ({ Œ: '\x8C', '–': '\x96', '€': '\x80' })[sign] ?? sign),
      'latin1',
    )
  const bare = (...some: typeof rows) => fileOf('CASPS', some).subarray(3).toString()

  it('is read as Windows-1252, which is noted where it matters', () => {
    const { entities } = read(western(bare(...rows)))
    expect(new Map(entities.map(({ entityName, dataNotes }) => [entityName, dataNotes]))).toEqual(
      new Map([
        ['Société Générale Œuvre – €', ['ENCODING_ASSUMED']],
        ['Plain Ltd', []],
      ]),
    )
  })

  it('is refused when it is no Windows-1252 either, or UTF-8 in most places', () => {
    const undefinedByte = Buffer.concat([western(bare(...rows)), Buffer.from([0x81]), Buffer.from('\r\n')])
    expect(refusal(undefinedByte)).toBe('it is neither UTF-8 nor Windows-1252')
    const damaged = Buffer.concat([
      Buffer.from(bare(provider({ ae_lei_name: 'Société Générale' }))),
      western(lineOf('CASPS', provider({ ae_lei_name: 'Gr\xF6n' }))),
    ])
    expect(refusal(damaged)).toBe('it is UTF-8 with 1 places that are no text, the first of them on line 3')
    const marked = Buffer.concat([Buffer.from('\uFEFF'), western(bare(...rows))])
    expect(refusal(marked)).toMatch(/^it is UTF-8 with 7 places .* line 2$/)
  })

  it('is none for what the publisher lost', () => {
    const [entity] = read(fileOf('CASPS', [provider({ ae_lei_name: 'Sch\uFFFDn' })])).entities
    expect(entity).toMatchObject({ entityName: 'Sch\uFFFDn', dataNotes: ['LOST_CHARACTERS'] })
  })
})

describe('a file is refused', () => {
  const row = (name: string) =>
    lineOf('NCASP', { ae_lei_name: name, ae_homeMemberState: 'IT', ae_lastupdate: '06/06/2025' })
  const whole = fileOf('NCASP', [row('A'), row('B')]).toString()

  it.each([
    ['with another header', Buffer.from('name,country\r\nA,IT\r\n'), /header/],
    ['with a column missing', Buffer.from(whole.replace('ae_reason,', '')), /header/],
    ['with a column twice', Buffer.from(whole.replace('ae_reason', 'ae_comments')), /header/],
    ['that is empty', Buffer.from(''), /header/],
    ['in another encoding', Buffer.from(whole, 'utf16le'), /neither UTF-8 nor Windows-1252/],
    ['that is a page of the web', Buffer.from('<html><body>403 Forbidden</body></html>'), /header/],
    [
      'cut off within its last row',
      Buffer.from(whole.slice(0, -20)),
      /cut short: its last row has 4 cells, its header 12/,
    ],
    ['cut off within its last date', Buffer.from(whole.slice(0, -4)), /cut short in its last cell/],
    [
      'cut off within a quoted cell',
      Buffer.from(`${whole}"open,IT`),
      /cut short: a quoted cell that begins on line 4 never ends/,
    ],
    [
      'with hardly a row that can be read',
      Buffer.from(`${whole}${'x,y\r\n'.repeat(1_001)}${row('C')}\r\n`),
      /more than 1000 rows/,
    ],
  ])('%s', (_what, bytes, reason) => {
    expect(refusal(bytes)).toMatch(reason)
  })

  it('but not for want of a line end', () => {
    expect(refusal(Buffer.from(whole.trimEnd()))).toBe('taken')
  })
})
