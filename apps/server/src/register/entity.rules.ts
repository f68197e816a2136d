import { createHash } from 'node:crypto'
import type { IssuerDetailsRecord, LicenseType, RegisterFile } from '@tallystick/wire'
import * as cell from './cells.rules.ts'
import { countryName, readCountries, readCountry } from './countries.rules.ts'
import { fold } from './fold.rules.ts'
import type { Layout } from './layouts.rules.ts'
import type { Row } from './rows.rules.ts'
import { readServices } from './services.rules.ts'

export type DataNote = IssuerDetailsRecord['dataNotes'][number]
export type WhitePaper = IssuerDetailsRecord['whitePapers'][number]

/** What is published of an entity, from all its rows. `status` is missing: it depends on the day one asks. */
export interface Entity {
  readonly id: string
  readonly file: RegisterFile
  readonly entityName: string
  readonly entityIdentifier: string | null
  readonly licenseType: LicenseType
  readonly entityType: Layout['entityType']
  readonly country: string | null
  readonly countryCode: string | null
  readonly nationalAuthority: string | null
  readonly commercialName: string | null
  readonly address: string | null
  readonly website: string | null
  readonly websitePlatform: string | null
  readonly authorizationDate: string | null
  readonly authorizationEndDate: string | null
  readonly services: readonly string[]
  readonly passportedCountries: readonly string[]
  readonly comments: string | null
  readonly alsoNamed: readonly string[]
  readonly whitePapers: readonly WhitePaper[]
  readonly dataNotes: readonly DataNote[]
  readonly lastUpdate: string | null
}

/** What one row says of its entity. */
export interface Statement extends Entity {
  /** The identifier that the row says is the entity's own, when it has the form of one. */
  readonly identifierKey: string | null
  /** The row gives no name but that of another party; `entityName` is the identifier then. */
  readonly isNameless: boolean
  /** An end date is missing because there is none, not because it could not be read. */
  readonly openEnded: boolean
}

/** The same key gives the same id in every import and every deployment. */
export function entityId(key: string, licenseType: LicenseType, homeState: string | null): string {
  const digest = createHash('sha256')
    .update(`register:${licenseType}:${homeState ?? ''}:${key}`)
    .digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

export const withNote = (statement: Statement, note: DataNote): Statement => ({
  ...statement,
  dataNotes: [...new Set([...statement.dataNotes, note])].sort(),
})

const LATIN = /\p{Script=Latin}/u
const OTHER_ALPHABET = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

function lostOrMixed(texts: readonly (string | null)[], name: string): DataNote[] {
  const notes: DataNote[] = []
  if (texts.some((text) => text?.includes('\uFFFD'))) notes.push('LOST_CHARACTERS')
  if (LATIN.test(name) && OTHER_ALPHABET.test(name)) notes.push('MIXED_SCRIPTS')
  return notes
}

/** Reads cells by name and notes what cannot be read, instead of guessing it. */
function createReader(cells: Readonly<Record<string, string>>) {
  const notes: DataNote[] = []
  const at = (column: string): string => cells[column] ?? ''
  return {
    notes,
    text: (column: string) => cell.readText(at(column)),
    lines: (column: string) => cell.readLines(at(column)),
    addresses: (column: string) => cell.readAddresses(at(column)),
    tokens: (...columns: string[]) =>
      [...new Set(columns.flatMap((column) => cell.readTokenIdentifiers(at(column))))].sort(),
    day(column: string): string | null {
      const day = cell.readDay(at(column))
      if (day === undefined) notes.push('UNREADABLE_DATE')
      return day ?? null
    },
    isBlank: (column: string) => cell.readText(at(column)) === null,
    country(column: string): string | null {
      const code = readCountry(at(column))
      if (code === undefined) notes.push('UNREADABLE_COUNTRY')
      return code ?? null
    },
    countries(column: string): string[] {
      const { codes, allRead } = readCountries(at(column))
      if (!allRead) notes.push('UNREADABLE_COUNTRY')
      return codes
    },
    services(column: string): string[] {
      const { letters, allRead } = readServices(at(column))
      if (!allRead) notes.push('UNREADABLE_SERVICE')
      return letters
    },
    /** Whether a cell identifies somebody else. */
    isAnother(column: string, own: string): boolean {
      const { key } = cell.readIdentifier(at(column))
      return key !== null && key !== own
    },
    identifier(column: string) {
      const identifier = cell.readIdentifier(at(column))
      if (identifier.shown !== null && identifier.key === null) notes.push('IDENTIFIER_FORM')
      if (identifier.key !== null && !identifier.checksumHolds) notes.push('IDENTIFIER_CHECKSUM')
      return identifier
    },
  }
}

const joined = (...texts: (string | null)[]): string | null => texts.filter((text) => text !== null).join('\n') || null

/** What a row says, or null when it names nobody. */
export function readStatement(layout: Layout, { cells, shifted }: Row): Statement | null {
  const read = createReader(cells)
  const own = read.identifier('ae_lei')
  // White papers drawn up by a provider for a token without an issuer name only the provider.
  const ownName = read.text('ae_lei_name')
  const forOthers = ownName === null && own.shown === null && layout.file === 'OTHER'
  const identifier = forOthers ? read.identifier('ae_lei_casp') : own
  const isProviderAnother = own.key !== null && read.isAnother('ae_lei_casp', own.key)
  const name =
    ownName ??
    (isProviderAnother ? null : read.text('ae_lei_name_casp')) ??
    read.text('ae_commercial_name') ??
    read.text('ae_website') ??
    identifier.shown
  if (name === null) return null
  const homeState = read.country('ae_homeMemberState')
  const paper = readWhitePaper(layout, read)
  const isRefused = layout.file === 'NCASP'
  const authority = read.text('ae_competentAuthority')
  const commercialName = read.lines('ae_commercial_name')
  const address = read.text('ae_address')
  const comments = isRefused
    ? joined(read.lines('ae_reason'), read.lines('ae_comments'))
    : read.lines(layout.file === 'CASPS' ? 'ac_comments' : 'wp_comments')
  const statement = {
    id: entityId(identifier.key ?? fold(name), layout.licenseType, homeState),
    file: layout.file,
    entityName: name,
    entityIdentifier: identifier.shown,
    licenseType: layout.licenseType,
    entityType: layout.entityType,
    country: homeState === null ? null : countryName(homeState),
    countryCode: homeState,
    nationalAuthority: authority,
    commercialName,
    address,
    website: read.addresses('ae_website'),
    websitePlatform: layout.file === 'OTHER' ? (paper?.url ?? null) : read.addresses('ae_website_platform'),
    authorizationDate: read.day(isRefused ? 'ae_decision_date' : 'ac_authorisationNotificationDate'),
    authorizationEndDate: read.day('ac_authorisationEndDate'),
    services: read.services('ac_serviceCode'),
    passportedCountries: read.countries(
      { CASPS: 'ac_serviceCode_cou', ARTZZ: 'wp_url_cou', OTHER: 'ae_offerCode_cou', EMTWP: '', NCASP: '' }[
        layout.file
      ],
    ),
    comments,
    alsoNamed: [],
    whitePapers: paper ? [paper] : [],
    lastUpdate: read.day(
      {
        CASPS: 'ac_lastupdate',
        NCASP: 'ae_lastupdate',
        ARTZZ: 'wp_lastupdate',
        EMTWP: 'wp_lastupdate',
        OTHER: 'wp_lastupdate',
      }[layout.file],
    ),
    openEnded: read.isBlank('ac_authorisationEndDate'),
    identifierKey: identifier.key,
    isNameless: ownName === null && name === identifier.key,
  }
  const spoilt = lostOrMixed([name, authority, commercialName, address, comments], name)
  const dataNotes = [...new Set([...spoilt, ...read.notes, ...(shifted ? (['CELLS_SHIFTED'] as const) : [])])].sort()
  return { ...statement, dataNotes }
}

function readWhitePaper({ file }: Layout, read: ReturnType<typeof createReader>): WhitePaper | null {
  if (file === 'CASPS' || file === 'NCASP') return null
  const countries = file === 'ARTZZ' ? 'wp_url_cou' : 'ae_offerCode_cou'
  return {
    url: read.addresses('wp_url'),
    date: read.day('wp_authorisationNotificationDate'),
    tokenIdentifiers: read.tokens('ae_DTI_FFG', 'ae_DTI'),
    countries: file === 'EMTWP' ? [] : read.countries(countries),
    comments: read.lines('wp_comments'),
    issuerName: read.text('ae_lei_name'),
    providerName: read.text('ae_lei_name_casp'),
  }
}
