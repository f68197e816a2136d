import * as wire from '@tallystick/wire'
import { type Operation, operations } from '@tallystick/wire'
import { type Described, type DescribedAnswer, plainDocument } from './describe.ts'
import { capital, createSharing, type Schema } from './share.ts'
import { createShelf } from './shelf.ts'

const JSON_TYPE = 'application/json'

/** What distinguishes a mount from the others, in the words of its path: `LendingStocks`, `OrderbooksCommodities`. */
function mountName(path: string, main: string): string {
  const [own, other] = [path.split('/'), main.split('/')]
  while (own.length > 1 && own.at(-1) === other.at(-1)) {
    own.pop()
    other.pop()
  }
  return own
    .filter((part) => part !== '' && part !== 'api')
    .flatMap((part) => part.split('-'))
    .map(capital)
    .join('')
}

/** As JSON shows them: what only lives in memory does not tell schemas apart. A constant says its type itself. */
const asJson = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, part) => {
      if (typeof part !== 'object' || part === null || !('const' in part) || typeof part.type !== 'string') return part
      const { type: _ofConstant, ...rest } = part
      return rest
    }),
  ) as T

/** What the wire exports under a name keeps it. */
const knownSchemas = () =>
  Object.fromEntries(
    Object.entries(wire).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
        ? [[name, asJson(value) as unknown as Schema] as const]
        : [],
    ),
  )

const schemasOf = ({ content = {} }: DescribedAnswer) => Object.values(content).map(({ schema }) => schema)

/** The body of each leg, where each has its own: a request is one of them. */
const bodiesOf = ({ legs, body }: Operation): readonly (readonly [leg: string, body: Schema])[] => {
  const own = Object.entries(legs).flatMap(([leg, spec]) =>
    spec.body ? [[leg, spec.body as unknown as Schema] as const] : [],
  )
  return own.length > 1 ? own : body ? [['', body as unknown as Schema]] : []
}

/** What is served: every path that answers, and everything that several of them have in common only once. */
export function openApiDocument(version: string, listed: readonly Operation[] = operations) {
  const plain = asJson(plainDocument(version, listed))
  const sharing = createSharing(knownSchemas())
  const [answers, bodies, asked] = [createShelf('responses'), createShelf('requestBodies'), createShelf('parameters')]
  const described = listed.map((operation) => {
    const one = plain.paths[operation.path]?.[operation.method.toLowerCase()] as Described
    return { operation, described: one, bodies: asJson(bodiesOf(operation)) }
  })
  for (const { described: one, bodies: own } of described)
    for (const schema of [...Object.values(one.responses).flatMap(schemasOf), ...own.map(([, body]) => body)])
      sharing.count(schema)

  /** A refusal by its code: the same one is the same component wherever it is answered. */
  function failure(schema: Schema): Schema {
    const { properties, ...envelope } = schema
    const { error, ...others } = properties as { error: Schema & { anyOf?: Schema[] } } & Schema
    const codes = (error.anyOf ?? [error]).map((one) => {
      const { code } = one.properties as { code: { const: string } }
      return sharing.keep(`Error.${code.const}`, one)
    })
    const shared = sharing.share({ ...envelope, properties: others }, 'Failure') as { properties: Schema }
    return { ...shared, properties: { ...shared.properties, error: codes.length === 1 ? codes[0] : { anyOf: codes } } }
  }

  function answerOf(id: string, status: string, answer: DescribedAnswer) {
    const content = Object.entries(answer.content ?? {}).map(([type, { schema }]) => {
      const shown = status === '200' ? sharing.share(schema, capital(id)) : failure(schema)
      return [type, { schema: shown }]
    })
    return answers.put(`${id}.${status}`, { ...answer, content: Object.fromEntries(content) })
  }

  function bodyOf(id: string, own: readonly (readonly [string, Schema])[], required: boolean) {
    const schemas = own.map(([leg, body]) => sharing.keep(`${capital(id)}${capital(leg)}Body`, body))
    const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas }
    return bodies.put(id, { required, content: { [JSON_TYPE]: { schema } } })
  }

  const paths: Record<string, Record<string, unknown>> = {}
  for (const { operation, described: one, bodies: own } of described) {
    // All take the same key, which is said once for all; and every mount stands for itself.
    const { requestBody, responses, parameters, security: _key, 'x-also-at': _mounts, ...words } = one
    const { id, method } = operation
    const shared = {
      parameters: parameters.map((parameter) => asked.put(parameter.name, parameter)),
      ...(requestBody ? { requestBody: bodyOf(id, own, requestBody.required) } : {}),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, answer]) => [status, answerOf(id, status, answer)]),
      ),
    }
    const put = (path: string, entry: object) => {
      paths[path] = { ...paths[path], [method.toLowerCase()]: entry }
    }
    put(operation.path, { ...words, ...shared })
    for (const mount of operation.alsoAt ?? [])
      put(mount, {
        operationId: `${id}At${mountName(mount, operation.path)}`,
        tags: one.tags,
        summary: one.summary,
        ...shared,
      })
  }
  return {
    ...plain,
    security: [{ apiKey: [] }],
    servers: [{ url: '/', description: 'The service that this document was taken from.' }],
    components: {
      ...plain.components,
      schemas: sharing.components(),
      responses: answers.all(),
      requestBodies: bodies.all(),
      parameters: asked.all(),
    },
    paths,
  }
}
