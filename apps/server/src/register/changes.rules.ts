import type { Entity } from './entity.rules.ts'

/** Everything of an entity that can change without it becoming another one. */
const watched = [
  'entityName',
  'entityIdentifier',
  'country',
  'nationalAuthority',
  'commercialName',
  'address',
  'website',
  'websitePlatform',
  'authorizationDate',
  'authorizationEndDate',
  'services',
  'passportedCountries',
  'comments',
  'alsoNamed',
  'whitePapers',
  'dataNotes',
  'lastUpdate',
] as const satisfies readonly (keyof Entity)[]

type Watched = (typeof watched)[number]
/** An entity as it is stored. */
export type StoredEntity = Pick<Entity, 'id' | 'licenseType' | Watched>

export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export interface Change {
  readonly kind: 'added' | 'changed' | 'removed'
  readonly entity: Pick<Entity, 'id' | 'entityName' | 'licenseType'>
  readonly fields: readonly FieldChange[]
}

/** The database keeps the fields of an object in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  )
}

function changedFields(before: StoredEntity, after: StoredEntity): FieldChange[] {
  return watched
    .filter((field) => canonical(before[field]) !== canonical(after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }))
}

/** What an import does to the entities of its file: added and changed in the order of the new ones, then removed. */
export function compareEntities(before: readonly StoredEntity[], after: readonly StoredEntity[]): Change[] {
  const known = new Map(before.map((entity) => [entity.id, entity]))
  const changes = after.flatMap((entity): Change[] => {
    const old = known.get(entity.id)
    known.delete(entity.id)
    if (!old) return [{ kind: 'added', entity, fields: [] }]
    const fields = changedFields(old, entity)
    return fields.length > 0 ? [{ kind: 'changed', entity, fields }] : []
  })
  // Whoever follows the feed may not have kept what is gone.
  const gone = [...known.values()].map((entity): Change => {
    const fields = watched.map((field) => ({ field, before: entity[field], after: null }))
    return { kind: 'removed', entity, fields }
  })
  return [...changes, ...gone]
}
