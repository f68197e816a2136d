import { type Operation, operations } from '@tallystick/wire'

type Schema = Readonly<Record<string, unknown>>

/** Where an argument of a tool goes in the request. */
type Place = 'path' | 'query' | 'body'

/** One operation, as a model may call it. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema & { readonly type: 'object'; readonly properties: Readonly<Record<string, Schema>> }
  readonly operation: Operation
  readonly leg: 'read' | 'build'
  readonly places: ReadonlyMap<string, Place>
  /** The prefixes that serve it, by name; the first one unless the caller says another. */
  readonly surfaces: ReadonlyMap<string, string>
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

export const NEVER_SIGNS = 'Nothing is signed or sent: the answer is an unsigned transaction for a wallet.'

/** What would make a request more than a question: a hash confirms, a relayer signs, another form is no answer that can be read here. */
const LEFT_OUT = new Set(['txHash', 'useRelayer', 'format'])

/** What a model may do: look, and prepare what a person will sign. Neither confirm, nor change, nor see a secret. */
function legOf({ legs, stream, files, secret }: Operation): 'read' | 'build' | null {
  if (stream || files || secret) return null
  if (legs.read) return 'read'
  return legs.build ? 'build' : null
}

/** `/lending-stocks/api/markets` is served by `lending-stocks`. */
const surfaceOf = (path: string) => path.slice(1, path.indexOf('/api'))

const plain = (schema: unknown) => JSON.parse(JSON.stringify(schema)) as Schema

function toolOf(operation: Operation, leg: 'read' | 'build'): McpTool {
  const { id, params, query, legs, alsoAt = [], confirmedBy = 'txHash' } = operation
  const parts: readonly [Place, ObjectSchema | undefined][] = [
    ['path', params],
    ['query', query],
    ['body', legs[leg]?.body ?? operation.body],
  ]
  const places = new Map<string, Place>()
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const [place, schema] of parts)
    for (const [name, property] of Object.entries(schema?.properties ?? {})) {
      if (LEFT_OUT.has(name) || name === confirmedBy) continue
      // A name in two places says the same in both.
      if (places.has(name)) continue
      places.set(name, place)
      properties[name] = plain(property)
      if (place === 'path' || schema?.required?.includes(name)) required.push(name)
    }
  const surfaces = new Map([operation.path, ...alsoAt].map((path) => [surfaceOf(path), path]))
  if (surfaces.size > 1)
    properties.surface = { type: 'string', enum: [...surfaces.keys()], description: 'Which of the prefixes is asked.' }
  const words = [operation.summary, operation.description, leg === 'build' ? NEVER_SIGNS : undefined]
  return {
    name: id,
    title: operation.summary,
    description: words
      .filter((word) => word !== undefined)
      .join('. ')
      .replaceAll('..', '.'),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    operation,
    leg,
    places,
    surfaces,
  }
}

export interface KeyRights {
  readonly scopes: readonly string[]
  readonly services: readonly string[]
}

/** The tools that a key opens; without rights known, all of them: the service refuses what it must. */
export function toolsFor(
  rights: KeyRights | null,
  { features, readOnly }: { readonly features?: readonly string[]; readonly readOnly?: boolean } = {},
  listed: readonly Operation[] = operations,
): McpTool[] {
  return listed.flatMap((operation) => {
    const leg = legOf(operation)
    if (!leg || (readOnly && leg === 'build')) return []
    if (features && !features.includes(operation.feature)) return []
    if (rights && !rights.scopes.includes(operation.scope)) return []
    if (rights && operation.service && !rights.services.includes(operation.service)) return []
    return [toolOf(operation, leg)]
  })
}

export interface ToolRequest {
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** The request that a call of a tool makes. What the tool does not take is refused by name, never dropped. */
export function requestOf(
  { operation, leg, places, surfaces, name }: McpTool,
  given: Readonly<Record<string, unknown>>,
): ToolRequest {
  const { surface, ...rest } = given
  const template = surface === undefined ? operation.path : surfaces.get(String(surface))
  if (template === undefined) throw new Error(`${name} is not served by the surface ${String(surface)}.`)
  const unknown = Object.keys(rest).filter((field) => !places.has(field))
  if (unknown.length > 0)
    throw new Error(`${name} takes no ${unknown.join(', ')}.${leg === 'build' ? ` ${NEVER_SIGNS}` : ''}`)
  const at = (place: Place) => Object.entries(rest).filter(([field]) => places.get(field) === place)
  const path = template.replace(/\{(\w+)\}/g, (_match, field: string) => {
    const value = rest[field]
    if (value === undefined) throw new Error(`${name} needs ${field}.`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams(
    at('query').map(([field, value]): [string, string] => [field, String(value)]),
  ).toString()
  const withBody = operation.method === 'GET' ? {} : { body: Object.fromEntries(at('body')) }
  return { method: operation.method, path: `${path}${query && `?${query}`}`, ...withBody }
}
