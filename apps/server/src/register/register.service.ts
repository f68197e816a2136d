import {
  entityTypes,
  type IssuerField,
  issuerFields,
  issuerStatuses,
  type LicenseType,
  licenseTypes,
  registerFiles,
  sortableFields,
} from '@tallystick/wire'
import { AppError, fieldError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { SharedRows } from '../platform/db/database.ts'
import { isUuid } from '../platform/ids.ts'
import { correctedQueries, wordsToCorrect } from './corrections.rules.ts'
import { memberStates } from './countries.rules.ts'
import { foldWords, plainWords } from './fold.rules.ts'
import * as query from './query.rules.ts'
import * as store from './register.store.ts'

const labels: Readonly<Record<LicenseType, string>> = {
  CASP: 'Crypto-Asset Service Provider',
  ART: 'Asset-Referenced Token Issuer',
  EMT: 'E-Money Token Issuer',
  OTHER: 'Other Crypto-Asset',
  NON_COMPLIANT: 'Non-Compliant Entity',
}
const SEARCH_LIMIT = { fallback: 20, most: 100 } as const
const PAGE = { fallback: 100, least: 1, most: 500 } as const
const OFFSET = { fallback: 0, least: 0, most: 1_000_000_000 } as const
const changeKinds = ['added', 'changed', 'removed'] as const

const refuse = (...faults: query.Fault[]) => fieldError('VALIDATION_ERROR', faults)

/** The values of a list, unless it was a fault. */
function accepted<T>(read: readonly T[] | query.Fault): readonly T[] {
  if ('field' in read) throw refuse(read)
  return read
}

const sourceOf = (filled: boolean) => ({ source: filled ? ('database' as const) : ('empty' as const) })

function withLabels(counts: readonly { type: LicenseType; count: number }[]) {
  const countOf = (type: LicenseType) => counts.find((one) => one.type === type)?.count ?? 0
  return licenseTypes
    .map((type) => ({ type, label: labels[type], count: countOf(type) }))
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
}

type Params<K extends string> = { readonly [Name in K]?: string | undefined }

function listRequest(
  request: Params<'licenseType' | 'country' | 'status' | 'entityType' | 'search' | 'sortBy' | 'sortOrder'>,
) {
  const search = request.search?.trim() ?? ''
  const fault = query.queryFault('search', search, 0)
  if (fault) throw refuse(fault)
  const [sortBy = 'entityName', more] = accepted(query.listOf('sortBy', request.sortBy, sortableFields))
  const [sortOrder = 'asc', further] = accepted(query.listOf('sortOrder', request.sortOrder, ['asc', 'desc']))
  if (more || further) throw refuse({ field: more ? 'sortBy' : 'sortOrder', message: 'takes one value' })
  const country = request.country?.trim() ?? ''
  return {
    licenseTypes: accepted(query.listOf('licenseType', request.licenseType, licenseTypes)),
    statuses: accepted(query.listOf('status', request.status, issuerStatuses)),
    entityTypes: accepted(query.listOf('entityType', request.entityType, entityTypes)),
    countries: country === '' ? null : query.countriesOf(country, memberStates),
    search: waysToWrite(search),
    sortBy,
    descending: sortOrder === 'desc',
  }
}

/** As typed, and without signs where that is something else and more than one letter; both folded. */
function waysToWrite(text: string): string[] {
  const [folded, plain] = [foldWords(text), plainWords(text)]
  if (folded === '') return []
  return plain === folded || plain.length < query.QUERY_LENGTH.least ? [folded] : [folded, plain]
}

type Entries = store.EntityPage['entries']

function project(entries: Entries, fields: readonly IssuerField[]): Entries {
  if (fields.length === 0) return entries
  return entries.map((entry) => Object.fromEntries(fields.map((field) => [field, entry[field]])) as Entries[number])
}

export function createRegisterService({ clock }: { clock: Clock }) {
  const today = () => clock.now().toISOString().slice(0, 10)

  /** What would have been found with one word typed a little differently. */
  async function searchCorrected(rows: SharedRows, text: string, limit: number): Promise<store.FoundEntry[]> {
    const plain = plainWords(text)
    const words = wordsToCorrect(plain)
    if (words.length === 0) return []
    const near = await rows.read((sql) => store.readWordsNear(sql, words))
    const asTyped = correctedQueries(
      plain,
      near.map(({ word }) => word),
    )
    if (asTyped.length === 0) return []
    return rows.read((sql) => store.searchEntities(sql, { asTyped, otherwise: [] }, limit, today()))
  }

  async function find(rows: SharedRows, text: string, limit: number): Promise<store.FoundEntry[]> {
    const [folded, ...otherwise] = waysToWrite(text)
    if (folded === undefined) return []
    const wanted = { asTyped: [folded], otherwise }
    const found = await rows.read((sql) => store.searchEntities(sql, wanted, limit, today()))
    return found.length > 0 ? found : searchCorrected(rows, text, limit)
  }

  return {
    async search(rows: SharedRows, request: Params<'q' | 'limit'>) {
      const text = request.q?.trim() ?? ''
      const limit = query.strictLimit(request.limit, SEARCH_LIMIT)
      const faults = [
        query.queryFault('q', text),
        limit === undefined ? { field: 'limit', message: 'must be a whole number from 1' } : undefined,
      ].filter((fault) => fault !== undefined)
      if (limit === undefined || faults.length > 0) throw refuse(...faults)
      const found = await find(rows, text, limit)
      // Somebody found: it is filled.
      const filled = found.length > 0 || (await rows.read((sql) => store.wasFilled(sql)))[0]?.filled === true
      const pagination = { total: found.length, returned: found.length, query: text }
      return { data: [...found], pagination, metadata: sourceOf(filled) }
    },

    async list(rows: SharedRows, request: Parameters<typeof listRequest>[0] & Params<'fields' | 'limit' | 'offset'>) {
      const fields = accepted(query.listOf('fields', request.fields, issuerFields))
      const limit = query.boundedNumber(request.limit, PAGE)
      const offset = query.boundedNumber(request.offset, OFFSET)
      const asked = { ...listRequest(request), limit, offset }
      const [page] = await rows.read((sql) => store.listEntities(sql, asked, today()))
      const { total = 0, entries = [], filled = false } = page ?? {}
      const { source } = sourceOf(filled)
      return {
        data: project(entries, fields),
        pagination: { total, returned: entries.length, limit, offset, hasMore: offset + entries.length < total },
        metadata: { source },
        headers: { 'x-total-count': String(total), 'x-data-source': source },
      }
    },

    async get(rows: SharedRows, id: string) {
      const [entity] = isUuid(id) ? await rows.read((sql) => store.readEntity(sql, id, today())) : []
      if (!entity) throw new AppError('NOT_FOUND')
      // Papers that were imported by an older release lack the names.
      const whitePapers = entity.whitePapers.map((paper) => ({ ...namelessPaper, ...paper }))
      return { data: { ...entity, whitePapers } }
    },

    async statistics(rows: SharedRows) {
      const [row] = await rows.read((sql) => store.readStatistics(sql, today()))
      const { licenseTypes: counts = [], countries = [], statuses = [], recent = [] } = row ?? {}
      const byStatus = { active: 0, expired: 0, non_compliant: 0 }
      for (const { status, count } of statuses) byStatus[status] = count
      return {
        data: {
          totalEntities: counts.reduce((sum, { count }) => sum + count, 0),
          licenseTypes: withLabels(counts),
          countries,
          byStatus,
          recentAuthorizations: recent,
        },
      }
    },

    async licenseTypes(rows: SharedRows) {
      return { data: withLabels(await rows.read((sql) => store.countLicenseTypes(sql))) }
    },

    async countries(rows: SharedRows) {
      return { data: [...(await rows.read((sql) => store.countCountries(sql)))] }
    },

    async health(rows: SharedRows) {
      const [row] = await rows.read((sql) => store.readHealth(sql))
      const { total = 0, files = [], failures = [] } = row ?? {}
      const failureOf = (file: string) => {
        const failure = failures.find((one) => one.file === file)
        return failure ? withoutFile(failure) : null
      }
      const [lastSync = null] = files
        .map(({ importedAt }) => importedAt)
        .sort()
        .reverse()
      const [lastFailure] = [...failures].sort((a, b) => (a.at < b.at ? 1 : -1))
      return {
        data: {
          status: files.length > 0 ? ('operational' as const) : ('empty' as const),
          totalIssuers: total,
          lastSync,
          apiVersion: 'v1' as const,
          files: registerFiles.map((file) => {
            const known = files.find((one) => one.file === file)
            return {
              ...(known ?? neverImported),
              file,
              checkedAt: laterOf(known?.checkedAt ?? null, known?.importedAt ?? null),
              lastFailure: failureOf(file),
            }
          }),
          lastFailure: lastFailure ? withoutFile(lastFailure) : null,
        },
      }
    },

    async changes(rows: SharedRows, request: Params<'cursor' | 'limit' | 'licenseType' | 'kind'>) {
      const limit = query.boundedNumber(request.limit, PAGE)
      const after = request.cursor === undefined ? { importNumber: '0', place: 0 } : query.readCursor(request.cursor)
      if (!after) throw refuse({ field: 'cursor', message: 'is none of this feed' })
      const asked = {
        after,
        licenseTypes: accepted(query.listOf('licenseType', request.licenseType, licenseTypes)),
        kinds: accepted(query.listOf('kind', request.kind, changeKinds)),
        // One more than asked for tells whether there are more.
        limit: limit + 1,
      }
      const found = await rows.read((sql) => store.listChanges(sql, asked))
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const nextCursor = last
        ? query.asCursor({ importNumber: last.importNumber.toString(), place: last.place })
        : (request.cursor ?? null)
      return {
        data: page.map(({ change }) => change),
        pagination: { returned: page.length, limit, hasMore: found.length > limit, nextCursor },
      }
    },
  }
}

const namelessPaper = { issuerName: null, providerName: null }

/** Instants of one form sort by their text. */
const laterOf = (a: string | null, b: string | null): string | null => ((a ?? '') > (b ?? '') ? a : b)

const withoutFile = ({ at, source, reason }: store.FailureRow) => ({ at, source, reason })

const neverImported = {
  source: null,
  sourceDate: null,
  sha256: null,
  importedAt: null,
  checkedAt: null,
  rows: 0,
  entities: 0,
  malformedRows: 0,
}

export type RegisterService = ReturnType<typeof createRegisterService>
