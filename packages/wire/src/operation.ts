import type { Static, TObject, TSchema } from 'typebox'

/** One way an operation can fail. A code is never renamed or reused: clients match on it. */
export interface ErrorSpec {
  readonly status: number
  /** One plain sentence; a route may answer a more specific one. */
  readonly message: string
  /** A repeat of the same request may succeed; the answer carries `Retry-After`. */
  readonly retry?: true
  /** Fields beside `code` and `message`, when this code carries any. */
  readonly extra?: TObject
}
export type ErrorTable = Readonly<Record<string, ErrorSpec>>

/** Where in the life of a request a code is answered. `door` is everything before the operation itself runs. */
export type Leg = 'door' | 'read' | 'write' | 'build' | 'confirm'
type WorkLeg = Exclude<Leg, 'door'>

export const features = ['access', 'tokens', 'lending', 'trading', 'stocks', 'identity', 'register'] as const
export type Feature = (typeof features)[number]

export const services = ['external-tokens', 'lending', 'trading', 'stocks', 'identity'] as const
export type Service = (typeof services)[number]

export type Scope = `${Feature}:${'read' | 'write'}`
export const scopes: readonly Scope[] = features.flatMap((feature): Scope[] => [`${feature}:read`, `${feature}:write`])

/** Bytes that a body may have, unless its operation declares more. */
const USUAL_BODY = 64 * 1024

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface LegSpec {
  /** What this leg takes, where each has a body of its own; callers see one body that fits both. */
  readonly body?: TObject
  readonly data: TSchema
  readonly errors: ErrorTable
}

/** In the path of a column: the name of the member that is the row. */
export const MEMBER_NAME = '@name'

/** How the answer of a list is written as `text/csv`: all of it, not one page. */
export interface CsvSpec {
  /** Where the rows are in `data`. Of an object instead of a list every member is a row. */
  readonly rows: string
  /** The columns in their order, and where in a row their cells are: a dotted path. */
  readonly columns: Readonly<Record<string, string>>
  /** The most rows that the operation takes as `limit`; absent where it has no pages. */
  readonly page?: number
  /** Where pages go by `offset`: fields of the first answer that the others repeat as query, so that all show the same state. */
  readonly pins?: readonly string[]
}

export interface OperationSpec {
  /** Verb and noun; also the file stem, the OpenAPI operationId and the SDK method. */
  readonly id: string
  readonly feature: Feature
  readonly method: Method
  /** With `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly scope: Scope
  /** Needs neither key nor session, since it is how one comes by a session. Its `scope` says what it is about and is asked of nobody. */
  readonly open?: true
  readonly service?: Service
  readonly params?: TObject
  readonly query?: TObject
  /** Absent, here and in the legs: the route takes no body (none, an empty one and `{}` are all accepted). */
  readonly body?: TObject
  /** Bytes that the body may have, where it is more than the usual 64 KiB. */
  readonly largestBody?: number
  readonly legs: Partial<Record<WorkLeg, LegSpec>>
  /** Code per field that fails its schema; any other field answers `VALIDATION_ERROR`. First match in this order wins. */
  readonly fieldCodes?: Readonly<Record<string, string>>
  /** Code per field of the body whose text holds a NUL or half of a character, where it is another than that of its form. */
  readonly textCodes?: Readonly<Record<string, string>>
  /** A field that fails is reported by the first rule it broke, as `message`, without the list of `details`. */
  readonly plainValidation?: true
  /** Code for a failure nobody classified; `INTERNAL_ERROR` unless the interface names one. */
  readonly fault?: string
  /** Code for a chain that could not be read, where the operation reads one. */
  readonly unreadable?: string
  /** Code for a key whose instance is archived, where the interface names one; else it is `AUTH_FAILED`, as for any bad key. */
  readonly instanceGone?: 'INSTANCE_NOT_FOUND'
  /** The field of the body that makes a request a confirmation; default `txHash`. */
  readonly confirmedBy?: string
  /** Refused `IDEMPOTENCY_KEY_REQUIRED` without a key: a repeat that happens twice would do harm. */
  readonly needsKey?: true
  /** The relayer of the instance can sign it: its body may say `useRelayer`, which counts as key material everywhere else. */
  readonly relayed?: true
  /** Leaves a row in the audit log, in the commit of what it changes; its handler does not compile without telling what that was. */
  readonly administrative?: true
  /** The answer holds a secret that may not be stored in the clear. */
  readonly secret?: true
  /** The same operation under other prefixes; the handler learns which one was called. */
  readonly alsoAt?: readonly string[]
  /** Types of a file that is answered instead of the envelope. */
  readonly files?: readonly string[]
  /** Also answered as `text/csv`, whole, where the caller asks for it. */
  readonly csv?: CsvSpec
  /** Answers messages until either side ends it: server-sent events, or a WebSocket on the same path. `data` is one message. */
  readonly stream?: true
  /** Reads rows that belong to no instance: a register key opens it as well as the key of any instance. */
  readonly registerKeys?: true
  /** Stands beside `data`. */
  readonly pagination?: TObject
  /** What `metadata` holds beside the usual. */
  readonly metadata?: TObject
  /** Headers of a success, and what they say. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long the caller may keep a success. */
  readonly cacheSeconds?: number
}

/** Bytes that the body of a request to an operation may have. */
export const largestBodyOf = ({ largestBody = USUAL_BODY }: OperationSpec): number => largestBody

export interface Operation extends OperationSpec {
  readonly door: ErrorTable
  readonly fault: string
}

/** One that leaves no row in the audit log. */
export interface OrdinaryOperation extends Operation {
  readonly administrative?: never
}

export type ParamsOf<O extends OperationSpec> = O['params'] extends TObject ? Static<O['params']> : unknown
export type QueryOf<O extends OperationSpec> = O['query'] extends TObject ? Partial<Static<O['query']>> : unknown
type LegBody<L> = L extends { body: infer B extends TObject } ? Static<B> : never
type LegBodies<O extends OperationSpec> = { [K in keyof O['legs']]: LegBody<O['legs'][K]> }[keyof O['legs']]
export type BodyOf<O extends OperationSpec> = O['body'] extends TObject
  ? Static<O['body']>
  : [LegBodies<O>] extends [never]
    ? undefined
    : LegBodies<O>
type LegData<L> = L extends { data: infer S extends TSchema } ? Static<S> : never
export type DataOf<O extends OperationSpec> = { [K in keyof O['legs']]: LegData<O['legs'][K]> }[keyof O['legs']]
type LegCodes<L> = L extends { errors: infer E } ? keyof E & string : never
export type CodeOf<O extends OperationSpec> = { [K in keyof O['legs']]: LegCodes<O['legs'][K]> }[keyof O['legs']]

/** Of one leg alone: what it takes, what it answers, and the codes it may refuse with. */
export type LegBodyOf<O extends OperationSpec, L extends WorkLeg> = [LegBody<O['legs'][L]>] extends [never]
  ? BodyOf<O>
  : LegBody<O['legs'][L]>
export type LegDataOf<O extends OperationSpec, L extends WorkLeg> = LegData<O['legs'][L]>
export type LegCodeOf<O extends OperationSpec, L extends WorkLeg> = LegCodes<O['legs'][L]>
