import { type DataNote, type Entity, entityId, type Statement, type WhitePaper, withNote } from './entity.rules.ts'
import { firmsOf } from './firms.rules.ts'
import { fold } from './fold.rules.ts'
import { canBeOne } from './names.rules.ts'

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
const sorted = (values: readonly string[]): string[] => distinct(values).sort(compare)

/** Newest word first; what is equally new is ordered by its content, so that the order of rows in a file means nothing. */
function byRecency(a: Statement, b: Statement): number {
  return (
    compare(b.lastUpdate ?? '', a.lastUpdate ?? '') ||
    compare(b.authorizationDate ?? '', a.authorizationDate ?? '') ||
    compare(JSON.stringify(a), JSON.stringify(b))
  )
}

function earliest(days: readonly (string | null)[]): string | null {
  return days.filter((day) => day !== null).sort(compare)[0] ?? null
}

function latest(days: readonly (string | null)[]): string | null {
  return (
    days
      .filter((day) => day !== null)
      .sort(compare)
      .at(-1) ?? null
  )
}

/** Ended only when every authorisation has an end; until then the entity is authorised. */
function endOf(statements: readonly Statement[]): string | null {
  return statements.some(({ openEnded }) => openEnded)
    ? null
    : latest(statements.map((one) => one.authorizationEndDate))
}

function papersOf(statements: readonly Statement[]): WhitePaper[] {
  const texts = statements.flatMap(({ whitePapers }) => whitePapers.map((paper) => JSON.stringify(paper)))
  return sorted(texts).map((text) => JSON.parse(text) as WhitePaper)
}

/** Names that other files give for identifiers. */
export type Owners = ReadonlyMap<string, readonly string[]>

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return [...groups.values()]
}

interface Firm {
  readonly statements: readonly Statement[]
  readonly newest: Statement
}

const newestOf = (statements: readonly [Statement, ...Statement[]]): Statement =>
  statements.reduce((one, other) => (byRecency(one, other) <= 0 ? one : other))

/** Whom most rows name comes first, else whom the newest does. */
const byWeight = (a: Firm, b: Firm): number =>
  b.statements.length - a.statements.length || byRecency(a.newest, b.newest)

const firmOf = (statements: readonly Statement[]): Firm[] => {
  const [first, ...others] = statements
  return first ? [{ statements, newest: newestOf([first, ...others]) }] : []
}

/** Statements under one identifier, put together by names that can be one. */
function byFirm(statements: readonly Statement[]): Firm[] {
  const spellings = grouped(statements, ({ entityName }) => fold(entityName))
    .flatMap(firmOf)
    .sort(byWeight)
  const firms = firmsOf(spellings.map(({ newest }) => newest.entityName))
  const numbered = spellings.map((spelling, place) => ({ spelling, firm: String(firms[place]) }))
  return grouped(numbered, ({ firm }) => firm).flatMap((some) =>
    firmOf(some.flatMap(({ spelling }) => spelling.statements)),
  )
}

/** Whose an identifier is: who has it in the other files, else whom most rows name, else whom the newest does. */
function ownerOf(firms: readonly Firm[], names: readonly string[]): Firm | undefined {
  const isKnown = ({ statements }: Firm) =>
    distinct(statements.map(({ entityName }) => entityName)).some((own) => names.some((name) => canBeOne(own, name)))
  const known = firms.filter(isKnown)
  return (known.length > 0 ? known : [...firms]).sort(byWeight)[0]
}

/** Without its identifier, a row belongs to whom it names. */
const withoutIdentifier = (statement: Statement): Statement => ({
  ...withNote(statement, 'IDENTIFIER_OF_ANOTHER'),
  id: entityId(fold(statement.entityName), statement.licenseType, statement.countryCode),
})

/** Rows under one identifier: those that name somebody else than its owner leave it. */
function settleIdentifier(statements: readonly Statement[], owners: Owners): readonly Statement[] {
  const key = statements[0]?.identifierKey ?? null
  if (key === null) return statements
  const names = owners.get(key) ?? []
  const named = statements.filter(({ isNameless }) => !isNameless)
  const [known] = names
  if (named.length === 0)
    return known === undefined ? statements : statements.map((one) => ({ ...one, entityName: known }))
  const firms = byFirm(named)
  if (firms.length === 1) return statements
  const owner = new Set(ownerOf(firms, names)?.statements)
  return statements.map((one) => (one.isNameless || owner.has(one) ? one : withoutIdentifier(one)))
}

/** Identifiers of which the file alone does not say whose they are. */
export function openIdentifiers(statements: readonly Statement[]): string[] {
  const identified = statements.filter(({ identifierKey }) => identifierKey !== null)
  return grouped(identified, ({ id }) => id)
    .filter((group) => group.some(({ isNameless, entityName }) => isNameless || entityName !== group[0]?.entityName))
    .flatMap(([first]) => first?.identifierKey ?? [])
}

/** One entity from all that its rows say, in whatever order they come. */
function mergeStatements(statements: readonly Statement[]): Entity | null {
  const ordered = [...statements].sort(byRecency)
  const [newest] = ordered
  if (!newest) return null
  const named = ordered.filter(({ isNameless }) => !isNameless)
  const { entityName } = named[0] ?? newest
  const first = <K extends keyof Entity>(field: K): Entity[K] | null =>
    ordered.find((one) => one[field] !== null)?.[field] ?? null
  const union = (field: 'services' | 'passportedCountries') => sorted(ordered.flatMap((one) => one[field]))
  const comments = distinct(ordered.map((one) => one.comments).filter((text) => text !== null))
  const otherNames = distinct(named.map((one) => one.entityName))
  const alsoNamed = otherNames.filter((name) => fold(name) !== fold(entityName)).sort(compare)
  const notes: DataNote[] = distinct([
    ...ordered.flatMap((one) => one.dataNotes),
    ...(alsoNamed.length > 0 ? (['NAMES_DIFFER'] as const) : []),
  ])
  const { openEnded: _openEnded, identifierKey: _identifierKey, isNameless: _isNameless, ...entity } = newest
  return {
    ...entity,
    entityName,
    entityIdentifier: first('entityIdentifier'),
    nationalAuthority: first('nationalAuthority'),
    commercialName: first('commercialName'),
    address: first('address'),
    website: first('website'),
    websitePlatform: first('websitePlatform'),
    authorizationDate: earliest(ordered.map((one) => one.authorizationDate)),
    authorizationEndDate: endOf(ordered),
    services: union('services'),
    passportedCountries: union('passportedCountries'),
    comments: comments.length > 0 ? comments.join('\n') : null,
    alsoNamed,
    whitePapers: papersOf(ordered),
    dataNotes: notes.sort(compare),
    lastUpdate: latest(ordered.map((one) => one.lastUpdate)),
  }
}

/** The entities behind the rows of a file, in order of their ids. */
export function mergeEntities(statements: readonly Statement[], owners: Owners = new Map()): Entity[] {
  const settled = grouped(statements, ({ id }) => id).flatMap((group) => settleIdentifier(group, owners))
  return grouped(settled, ({ id }) => id)
    .map(mergeStatements)
    .filter((entity) => entity !== null)
    .sort((a, b) => compare(a.id, b.id))
}
