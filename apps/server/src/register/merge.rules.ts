import type { DataNote, Entity, Statement, WhitePaper } from './entity.rules.ts'
import { fold } from './fold.rules.ts'

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

/** One entity from all that its rows say, in whatever order they come. */
function mergeStatements(statements: readonly Statement[]): Entity | null {
  const ordered = [...statements].sort(byRecency)
  const [newest] = ordered
  if (!newest) return null
  const first = <K extends keyof Entity>(field: K): Entity[K] | null =>
    ordered.find((one) => one[field] !== null)?.[field] ?? null
  const union = (field: 'services' | 'passportedCountries') => sorted(ordered.flatMap((one) => one[field]))
  const comments = distinct(ordered.map((one) => one.comments).filter((text) => text !== null))
  const otherNames = distinct(ordered.map((one) => one.entityName)).filter((name) => name !== newest.entityName)
  const alsoNamed = otherNames.filter((name) => fold(name) !== fold(newest.entityName)).sort(compare)
  const notes: DataNote[] = distinct([
    ...ordered.flatMap((one) => one.dataNotes),
    ...(alsoNamed.length > 0 ? (['NAMES_DIFFER'] as const) : []),
  ])
  const { openEnded: _openEnded, ...entity } = newest
  return {
    ...entity,
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
export function mergeEntities(statements: readonly Statement[]): Entity[] {
  const groups = new Map<string, Statement[]>()
  for (const statement of statements) {
    const group = groups.get(statement.id)
    if (group) group.push(statement)
    else groups.set(statement.id, [statement])
  }
  return [...groups.values()]
    .map(mergeStatements)
    .filter((entity) => entity !== null)
    .sort((a, b) => compare(a.id, b.id))
}
