/** The parts of a JSON schema that our declarations produce. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly pattern?: string
  readonly description?: string
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Schema }[]
  readonly requestBody?: { required: boolean; content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Answer>>
  readonly 'x-also-at'?: readonly string[]
  readonly 'x-legs': readonly string[]
  readonly 'x-confirmed-by'?: string
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

/** One way to fail: `extra` holds what stands beside code and message. */
export interface RefusalSchema {
  readonly code: string
  readonly status: number
  readonly extra: Schema
}

/** What a success holds, by the form of its answer. */
export type Outcome =
  | { readonly form: 'plain'; readonly data: Schema; readonly pagination?: Schema; readonly about?: Schema }
  | { readonly form: 'build'; readonly built: Schema; readonly confirmed?: Schema; readonly confirmedBy: string }
  | { readonly form: 'file'; readonly types: readonly string[] }
  | { readonly form: 'stream'; readonly message: Schema }

/** One operation of the document, taken apart. */
export interface ReadOperation {
  readonly id: string
  readonly tag: string
  readonly method: string
  /** With `{surface}` where several prefixes serve it. */
  readonly path: string
  /** The documented one first; empty: one path only. */
  readonly surfaces: readonly string[]
  readonly words: string
  readonly params: Schema | undefined
  readonly query: Schema | undefined
  readonly body: Schema | undefined
  readonly needsBody: boolean
  readonly outcome: Outcome
  readonly refusals: readonly RefusalSchema[]
}

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'
/** Asked for through a helper of its own: it changes the form of the answer. */
const FORMAT = 'format'
const USUAL_METADATA = ['requestId', 'timestamp', 'instanceId', 'blockNumber', 'blockHash', 'chainTime']

function only(schema: Schema | undefined, keep: (name: string) => boolean): Schema | undefined {
  const names = Object.keys(schema?.properties ?? {}).filter(keep)
  if (!schema?.properties || names.length === 0) return undefined
  return {
    ...schema,
    properties: Object.fromEntries(names.map((name) => [name, schema.properties?.[name] ?? {}])),
    required: (schema.required ?? []).filter(keep),
  }
}

/** What follows the prefixes is the same on all of them; the prefixes themselves are the surfaces. */
function surfacesOf(path: string, others: readonly string[]): { path: string; surfaces: string[] } {
  if (others.length === 0) return { path, surfaces: [] }
  const all = [path, ...others].map((one) => one.split('/').slice(1))
  const [first = []] = all
  let shared = 0
  while (shared < first.length - 1 && all.every((parts) => parts.at(-1 - shared) === first.at(-1 - shared))) shared += 1
  const rest = first.slice(first.length - shared)
  return { path: `/{surface}/${rest.join('/')}`, surfaces: all.map((parts) => parts.slice(0, -shared).join('/')) }
}

function parametersOf({ parameters, ...described }: Described, place: 'path' | 'query'): Schema | undefined {
  const own = parameters.filter((one) => one.in === place)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(own.map((one) => [one.name, one.schema])),
    required: own.filter((one) => one.required).map((one) => one.name),
  }
  const isBuilt = described['x-legs'].includes('build')
  return only(schema, (name) => place === 'path' || !isBuilt || name !== FORMAT)
}

const isSafeFile = (schema: Schema): boolean => schema.properties?.transactions !== undefined && !schema.properties.data

function outcomeOf(described: Described): Outcome {
  const content = described.responses[200]?.content ?? {}
  const stream = content[STREAM_TYPE]?.schema
  if (stream) return { form: 'stream', message: stream }
  const schema = content[JSON_TYPE]?.schema
  if (!schema) return { form: 'file', types: Object.keys(content) }
  const legs = described['x-legs']
  const envelope = legs.includes('build') ? (schema.anyOf ?? []).find((one) => !isSafeFile(one)) : schema
  const data = envelope?.properties?.data
  if (!envelope || !data) throw new Error(`${described.operationId} answers no envelope`)
  const confirmedBy = described['x-confirmed-by'] ?? 'txHash'
  if (legs.join() === 'build') return { form: 'build', built: data, confirmedBy }
  if (legs.includes('build')) {
    const [built, confirmed] = legs[0] === 'build' ? (data.anyOf ?? []) : [...(data.anyOf ?? [])].reverse()
    if (!built || !confirmed) throw new Error(`${described.operationId} has two legs and not two answers`)
    return { form: 'build', built, confirmed, confirmedBy }
  }
  const about = only(envelope.properties?.metadata, (name) => !USUAL_METADATA.includes(name))
  const { pagination } = envelope.properties ?? {}
  return { form: 'plain', data, ...(pagination ? { pagination } : {}), ...(about ? { about } : {}) }
}

function refusalsOf({ responses }: Described): RefusalSchema[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, answer]) => {
      const error = answer.content?.[JSON_TYPE]?.schema.properties?.error ?? {}
      return (error.anyOf ?? [error]).map(({ description: _, ...one }) => ({
        code: String(one.properties?.code?.const),
        status: Number(status),
        extra: only(one, (name) => name !== 'code' && name !== 'message') ?? { type: 'object', properties: {} },
      }))
    })
}

/** Takes the served description apart, in its own order. */
export function readDocument({ paths }: OpenApi): ReadOperation[] {
  const read = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): ReadOperation => {
      const body = described.requestBody?.content[JSON_TYPE]?.schema
      return {
        id: described.operationId,
        tag: described.tags[0] ?? '',
        method: method.toUpperCase(),
        ...surfacesOf(path, described['x-also-at'] ?? []),
        words: `${described.summary}. ${described.description}`,
        params: parametersOf(described, 'path'),
        query: parametersOf(described, 'query'),
        body,
        needsBody: described.requestBody?.required ?? false,
        outcome: outcomeOf(described),
        refusals: refusalsOf(described),
      }
    }),
  )
  const twice = read.map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)
  if (twice.length > 0) throw new Error(`The document uses these operation ids twice: ${twice.join(', ')}`)
  return read
}
