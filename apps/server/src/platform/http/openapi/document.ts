import * as wire from '@tallystick/wire'
import { type Operation, operations } from '@tallystick/wire'
import { type Described, type DescribedAnswer, plainDocument } from './describe.ts'
import { type Examples, recordedExamples } from './examples.ts'
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

/**
 * What is answered may have more fields in a later release, and whoever reads it is to let them pass. Only here: our own tests hold answers
 * against schemas that are closed.
 */
const opened = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (key, part) => (key === 'additionalProperties' && part === false ? undefined : part)),
  )

/** What the wire exports under a name keeps it. */
const knownSchemas = () =>
  Object.fromEntries(
    Object.entries(wire).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
        ? [[name, opened(asJson(value)) as unknown as Schema] as const]
        : [],
    ),
  )

/** Of a schema what an envelope is known by. */
type Outer = Schema & { readonly anyOf?: readonly Outer[]; readonly properties?: Readonly<Record<string, Schema>> }

const schemasOf = ({ content = {} }: DescribedAnswer) => Object.values(content).map(({ schema }) => schema)

/** The body of each leg, where each has its own: a request is one of them. */
const bodiesOf = ({ legs, body }: Operation): readonly (readonly [leg: string, body: Schema])[] => {
  const own = Object.entries(legs).flatMap(([leg, spec]) =>
    spec.body ? [[leg, spec.body as unknown as Schema] as const] : [],
  )
  return own.length > 1 ? own : body ? [['', body as unknown as Schema]] : []
}

/** What a build answers that waits for a second person: the same for all of them. */
const awaitingExample = {
  success: true,
  data: {
    action: 'AWAIT_APPROVAL',
    transactionId: '8cb201b0-d402-4bc0-8957-fcfa2e501cba',
    summary: 'Pause a market',
    description: null,
    simulation: { simulated: true, success: true, gasUsed: '40854', revert: null },
    approval: {
      status: 'PENDING',
      expiresAt: '2026-03-03T10:00:00.000Z',
      decidedBy: null,
      decidedAt: null,
      reason: null,
    },
  },
  metadata: { requestId: 'req-1', timestamp: '2026-03-02T10:00:00.000Z' },
}

type ByLeg = Examples[string]

/** What tests sent, by leg where there are several. */
function sentExamples(legs: ByLeg = {}): Schema {
  const sent = Object.entries(legs).flatMap(([leg, { body }]) => (body === undefined ? [] : [[leg, body] as const]))
  const [only, ...others] = sent
  if (!only) return {}
  if (others.length === 0) return { example: only[1] }
  return { examples: Object.fromEntries(sent.map(([leg, value]) => [leg, { value }])) }
}

/** What the first leg was answered: with all of them, the document would be too large for what reads it. */
function answeredExample(legs: ByLeg = {}): Schema {
  const [answer] = Object.values(legs).flatMap((leg) => (leg.answer === undefined ? [] : [leg.answer]))
  return answer === undefined ? {} : { example: answer }
}

/** What is served: every path that answers, and everything that several of them have in common only once. */
export function openApiDocument(
  version: string,
  listed: readonly Operation[] = operations,
  examples: Examples = recordedExamples(),
) {
  const plain = asJson(plainDocument(version, listed))
  const sharing = createSharing(knownSchemas())
  const [answers, bodies, asked] = [createShelf('responses'), createShelf('requestBodies'), createShelf('parameters')]
  const described = listed.map((operation) => {
    const one = plain.paths[operation.path]?.[operation.method.toLowerCase()] as Described
    return { operation, described: { ...one, responses: opened(one.responses) }, bodies: asJson(bodiesOf(operation)) }
  })
  const usualMetadata = JSON.stringify(opened(asJson(wire.Metadata)))

  /** What stands beside the usual parts of an envelope. Undefined: files, messages and the few answers with metadata of their own. */
  function insideOf({ properties }: Outer) {
    const { success: always, metadata, ...own } = properties ?? {}
    const isUsual = always?.const === true && JSON.stringify(metadata) === usualMetadata
    return isUsual ? { envelope: { success: always, metadata }, own } : undefined
  }

  function count(schema: Outer): void {
    const inside = insideOf(schema)
    if (schema.anyOf) schema.anyOf.forEach(count)
    else if (inside) Object.values(inside.own).forEach(sharing.count)
    else sharing.count(schema)
  }
  for (const { described: one, bodies: own } of described)
    for (const schema of [...Object.values(one.responses).flatMap(schemasOf), ...own.map(([, body]) => body)])
      count(schema)

  const oneOf = (schemas: readonly Schema[]): Schema => (schemas.length === 1 && schemas[0]) || { anyOf: schemas }

  /** Which codes stand together wherever they stand: what the door refuses, and what the verifier does. */
  const familyOf = (code: string, { door }: Operation) =>
    code in door ? 'Door' : code in wire.transactionErrors ? 'Verifier' : ''

  /** A refusal by its code: the same one is the same component wherever it is answered, and so is a family of them. */
  function failure(schema: Schema, status: string, operation: Operation): Schema {
    const { properties, ...envelope } = schema
    const { error, ...others } = properties as { error: Schema & { anyOf?: Schema[] } } & Schema
    const listed = (error.anyOf ?? [error]).map((one) => {
      const { code } = one.properties as { code: { const: string } }
      return { family: familyOf(code.const, operation), kept: sharing.keep(`Error.${code.const}`, one) }
    })
    const codes = [...new Set(listed.map(({ family }) => family))].flatMap((family) => {
      const members = listed.flatMap((one) => (one.family === family ? [one.kept] : []))
      return family !== '' && members.length > 1 ? [sharing.keep(`${family}${status}`, { anyOf: members })] : members
    })
    const shared = sharing.keep('Failure', { ...envelope, properties: others })
    return { allOf: [shared], required: ['error'], properties: { error: oneOf(codes) } }
  }

  /** The envelope of a success stands once too. */
  function success(schema: Outer, id: string): Schema {
    if (schema.anyOf) return { anyOf: schema.anyOf.map((one) => success(one, id)) }
    const inside = insideOf(schema)
    if (!inside) return sharing.share(schema, [capital(id)])
    const shared = sharing.keep('Success', {
      type: 'object',
      required: ['success', 'data', 'metadata'],
      properties: inside.envelope,
    })
    const fields = Object.entries(inside.own)
    const properties = fields.map(([field, one]) => [field, sharing.share(one, [capital(id), capital(field)])])
    return { allOf: [shared], required: Object.keys(inside.own), properties: Object.fromEntries(properties) }
  }

  function answerOf(operation: Operation, status: string, answer: DescribedAnswer) {
    const { id } = operation
    const content = Object.entries(answer.content ?? {}).map(([type, { schema }]) => {
      if (status === '202') return [type, { schema: success(schema, 'AwaitingApproval'), example: awaitingExample }]
      if (status !== '200') return [type, { schema: failure(schema, status, operation) }]
      const example = type === 'text/csv' ? {} : answeredExample(examples[id])
      return [type, { schema: success(schema, id), ...example }]
    })
    // Most refusals are shared: the name of one operation would mislead. And short: references to them are a sixth of the document.
    return answers.put(status === '200' ? `${id}.200` : status === '202' ? 'Awaiting' : `E${status}`, {
      ...answer,
      content: Object.fromEntries(content),
    })
  }

  function bodyOf(id: string, own: readonly (readonly [string, Schema])[], required: boolean) {
    const schemas = own.map(([leg, body]) => sharing.keep(`${capital(id)}${capital(leg)}Body`, body))
    const schema = schemas.length === 1 ? schemas[0] : { oneOf: schemas }
    return bodies.put(id, { required, content: { [JSON_TYPE]: { schema, ...sentExamples(examples[id]) } } })
  }

  const paths: Record<string, Record<string, unknown>> = {}
  for (const { operation, described: one, bodies: own } of described) {
    // Most take the same key, which is said once for all; and every mount stands for itself.
    const { requestBody, responses, parameters, security, 'x-also-at': _mounts, 'x-legs': legs, ...words } = one
    const { id, method } = operation
    const shared = {
      parameters: parameters.map((parameter) => asked.put(parameter.name, parameter)),
      ...(requestBody ? { requestBody: bodyOf(id, own, requestBody.required) } : {}),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, answer]) => [status, answerOf(operation, status, answer)]),
      ),
    }
    const put = (path: string, entry: object) => {
      paths[path] = { ...paths[path], [method.toLowerCase()]: entry }
    }
    // One answer needs no telling apart.
    const several = legs.length > 1 ? { 'x-legs': legs } : {}
    put(operation.path, { ...words, ...several, ...(operation.open ? { security } : {}), ...shared })
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
