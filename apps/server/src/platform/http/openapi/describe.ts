import { STATUS_CODES } from 'node:http'
import {
  AwaitingApproval,
  type CsvSpec,
  codesOf,
  type ErrorSpec,
  Failure,
  type Operation,
  operations,
  SafeFile,
  Success,
} from '@tallystick/wire'
import { type TSchema, Type } from 'typebox'
import { needsBody } from './needs-body.ts'

interface Code {
  readonly code: string
  readonly spec: ErrorSpec
}

/** One answer of an operation, as the document shows it. */
export interface DescribedAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Readonly<Record<string, unknown>> }>>
}

/** One operation of the document, with every schema in its place. */
export interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly parameters: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[]
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Readonly<Record<string, DescribedAnswer>>
  readonly security: readonly unknown[]
  readonly 'x-also-at'?: readonly string[]
  readonly 'x-legs': readonly string[]
}

/** What the operations of a feature are about. */
const SUBJECTS: Readonly<Record<Operation['feature'], string>> = {
  access: 'The instance itself: keys, wallets, relayer, audit log.',
  tokens: 'Tokens of others: detection, imports, profiles.',
  lending: 'Markets, loans, liquidity, vaults, liquidations and what the parties of a market decide.',
  trading: 'Order books on and off chain, requests for quote, settlements, auctions, streams.',
  stocks: 'Stock tokens of our own: deployment, roles, shares, holders, corporate actions.',
  identity: 'Who is behind a wallet, and which claims stand.',
  register: 'The public register of regulated crypto-asset entities.',
}

/** Every code an operation can answer, once per status, whichever leg answers it. */
function codesByStatus(operation: Operation): Map<number, Code[]> {
  const statuses = new Map<number, Map<string, Code>>()
  for (const { code, table } of codesOf(operation)) {
    const spec = table[code]
    if (!spec) continue
    const codes = statuses.get(spec.status) ?? new Map<string, Code>()
    codes.set(code, { code, spec })
    statuses.set(spec.status, codes)
  }
  return new Map([...statuses].sort(([a], [b]) => a - b).map(([status, codes]) => [status, [...codes.values()]]))
}

function errorSchema(codes: readonly Code[]): TSchema {
  return Type.Union(
    codes.map(({ code, spec }) =>
      Type.Object(
        { code: Type.Literal(code), message: Type.String(), ...(spec.extra?.properties ?? {}) },
        {
          description: spec.message,
          additionalProperties: false,
          // A partial table entry may carry its extra fields or not; a full one always does.
          required: ['code', 'message', ...((spec.extra as { required?: string[] } | undefined)?.required ?? [])],
        },
      ),
    ),
  )
}

function json(schema: TSchema) {
  return { content: { 'application/json': { schema } } }
}

function responses(operation: Operation) {
  const data = Object.values(operation.legs).map((leg) => leg.data)
  const [only] = data
  const success = data.length === 1 && only ? only : Type.Union(data)
  const failures = [...codesByStatus(operation)].map(([status, codes]) => [
    status,
    {
      // Codes and what each means stand once, with their schemas: many operations refuse with the same.
      description: STATUS_CODES[status] ?? '',
      ...json(Failure(errorSchema(codes))),
    },
  ])
  const headers = Object.entries(operation.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  const answered = { description: 'Success.', ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}) }
  return {
    200: { ...answered, ...successContent(operation, success) },
    ...(operation.legs.build ? { 202: withheld } : {}),
    ...Object.fromEntries(failures),
  }
}

/** The same for every build, so that the document holds it once. */
const withheld = {
  description: 'In a session, where a second person is required: it waits for approval.',
  ...json(Success(AwaitingApproval)),
}

/** A second form of the same answer: all rows of the list, whatever page was asked for. */
const csvSchema = ({ columns }: CsvSpec) => ({
  type: 'string',
  description: `Every row from \`cursor\` or \`offset\` on, whatever the \`limit\`. Columns: ${Object.keys(columns).join(', ')}.`,
})

function successContent(operation: Operation, success: TSchema) {
  if (operation.files)
    return { content: Object.fromEntries(operation.files.map((type) => [type, { schema: { type: 'string' } }])) }
  if (operation.stream) return { content: { 'text/event-stream': { schema: success } } }
  if (operation.csv)
    return {
      content: { ...json(Success(success, operation)).content, 'text/csv': { schema: csvSchema(operation.csv) } },
    }
  return json(operation.legs.build ? Type.Union([Success(success), SafeFile]) : Success(success, operation))
}

function parameters(operation: Operation) {
  const of = (place: 'path' | 'query', schema: Operation['params']) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || ((schema as { required?: string[] } | undefined)?.required ?? []).includes(name),
      schema: property,
    }))
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: operation.needsKey ?? false,
    description: 'Makes a repeat of this request harmless for 24 hours.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_\\-:.]{8,200}$' },
  }
  return [
    ...of('path', operation.params),
    ...of('query', operation.query),
    ...(operation.method === 'GET' || operation.open ? [] : [idempotencyKey]),
  ]
}

const bodySize = (operation: Operation): string =>
  operation.largestBody === undefined ? '' : `Body: at most ${operation.largestBody / 1024} KiB.`

/** What a caller has to have. */
const needs = ({ open, scope }: Operation): string => (open ? 'Needs no key.' : `Scope: \`${scope}\`.`)

function describeOperation(operation: Operation) {
  return {
    operationId: operation.id,
    ...(operation.alsoAt ? { 'x-also-at': operation.alsoAt } : {}),
    // Which answers there are, in the order in which the schema of a success lists them; the SDK tells them apart by it.
    'x-legs': Object.keys(operation.legs),
    ...(operation.confirmedBy ? { 'x-confirmed-by': operation.confirmedBy } : {}),
    tags: [operation.feature],
    summary: operation.summary,
    description: [operation.description, needs(operation), bodySize(operation)].filter(Boolean).join(' '),
    parameters: parameters(operation),
    ...(operation.body ? { requestBody: { required: needsBody(operation), ...json(operation.body) } } : {}),
    responses: responses(operation),
    security: operation.open ? [] : [{ apiKey: [] }],
  }
}

/**
 * Every operation once, under its main path, with every schema where it is used: derived from the same declarations that the server
 * validates with. What is served is made of it; the SDK and the pages of the reference read it as it is.
 */
export function plainDocument(version: string, listed: readonly Operation[] = operations) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of listed) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = describeOperation(operation)
    paths[operation.path] = path
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tallystick',
      version,
      description:
        'Lending, trading and identity for tokenized securities. Every write answers an unsigned transaction; you sign.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [...new Set(listed.map(({ feature }) => feature))].map((name) => ({ name, description: SUBJECTS[name] })),
    components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    paths,
  }
}
