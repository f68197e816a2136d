import type { Readable } from 'node:stream'
import type { ErrorSpec, Leg, Operation } from '@tallystick/wire'
import { AppError, type FieldFault } from '../app-error.ts'
import { ChainDisagreementError } from '../chain/agreement.ts'
import type { Block } from '../chain/block.ts'
import { ChainUnavailableError } from '../chain/rpc.ts'
import { DatabaseBusyError, DatabaseUnavailableError } from '../db/database.ts'
import { RawJson } from '../raw-json.ts'

/** What goes over the wire, as it will be stored when the request is idempotent. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** Sent instead of the body. */
  readonly file?: FileAnswer
  /** The same, as long as it takes. */
  readonly csv?: CsvAnswer
  readonly headers?: Readonly<Record<string, string>>
}

export interface CsvAnswer {
  readonly name: string
  readonly lines: Readable
}

export interface FileAnswer {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

export interface AnswerContext {
  readonly requestId: string
  readonly now: Date
  readonly instanceId: string | undefined
}

export interface Failure {
  readonly leg: Leg
  readonly code: string
  readonly spec: ErrorSpec
  readonly message: string
  readonly extra: Readonly<Record<string, unknown>>
}

/** Seconds a caller should wait before trying again, where nothing better is known. */
const RETRY_AFTER_SECONDS = 1

function metadata(context: AnswerContext, block?: Block) {
  return {
    requestId: context.requestId,
    timestamp: context.now.toISOString(),
    ...(context.instanceId ? { instanceId: context.instanceId } : {}),
    ...(block ? { blockNumber: block.number.toString(), blockHash: block.hash, chainTime: block.time } : {}),
  }
}

/** What some operations answer beside `data`. */
export interface Beside {
  readonly block?: Block | undefined
  readonly pagination?: object | undefined
  readonly metadata?: object | undefined
}

export function successAnswer(data: unknown, context: AnswerContext, beside: Beside = {}): Answer {
  const text = data instanceof RawJson ? data.text : JSON.stringify(data)
  const pagination = beside.pagination ? `"pagination":${JSON.stringify(beside.pagination)},` : ''
  const about = JSON.stringify({ ...metadata(context, beside.block), ...beside.metadata })
  return { status: 200, body: `{"success":true,"data":${text},${pagination}"metadata":${about}}` }
}

export function failureAnswer(failure: Failure, context: AnswerContext): Answer {
  const error = { code: failure.code, message: failure.message, ...failure.extra }
  return {
    status: failure.spec.status,
    body: JSON.stringify({ success: false, data: null, error, metadata: metadata(context) }),
  }
}

export function retryAfterSeconds(failure: Failure): number | undefined {
  if (!failure.spec.retry) return undefined
  return typeof failure.extra.retryAfterSeconds === 'number' ? failure.extra.retryAfterSeconds : RETRY_AFTER_SECONDS
}

function codeOf(operation: Operation, leg: Leg, error: unknown): string {
  if (error instanceof AppError) return error.code
  if (error instanceof ChainUnavailableError || error instanceof ChainDisagreementError) {
    const listed = leg === 'door' ? {} : (operation.legs[leg]?.errors ?? {})
    // A confirmation has one code for it, whatever the operation's own one is.
    const codes = leg === 'confirm' ? ['CHAIN_UNAVAILABLE', operation.unreadable] : [operation.unreadable]
    return codes.find((code) => code !== undefined && code in listed) ?? operation.fault
  }
  if (error instanceof DatabaseBusyError) return 'OVERLOADED'
  if (error instanceof DatabaseUnavailableError && operation.fault === 'INTERNAL_ERROR') return 'SERVICE_UNAVAILABLE'
  return operation.fault
}

/** The leg that a request is on: which of the operation's tables its codes come from. */
export function legOf(operation: Operation, body: unknown): Leg {
  const legs = Object.keys(operation.legs) as Leg[]
  if (legs.length === 1 && legs[0]) return legs[0]
  return typeof body === 'object' && body !== null && (operation.confirmedBy ?? 'txHash') in body ? 'confirm' : 'build'
}

/** Where the interface wants no list: the first rule that failed is the message. Details that are no list of fields stay. */
function withFirstFaultOnly(failure: Failure): Failure {
  const { details, ...extra } = failure.extra
  if (!Array.isArray(details)) return failure
  const [first] = details as FieldFault[]
  return { ...failure, message: first ? `${first.field} ${first.message}` : failure.message, extra }
}

/**
 * Maps whatever was thrown to a code of the operation's own tables. A code that the operation does not list is a bug here and
 * answers the operation's fault; its text never leaves the server.
 */
export function classify(operation: Operation, leg: Leg, error: unknown): Failure {
  const tables = leg === 'door' ? {} : (operation.legs[leg]?.errors ?? {})
  const lookUp = (code: string): { leg: Leg; spec: ErrorSpec } | undefined => {
    const own = tables[code]
    if (own) return { leg, spec: own }
    const common = operation.door[code]
    return common ? { leg: 'door', spec: common } : undefined
  }
  const code = codeOf(operation, leg, error)
  const found = lookUp(code)
  if (found) {
    const told = error instanceof AppError ? error : undefined
    const failure = { ...found, code, message: told?.detail ?? found.spec.message, extra: told?.extra ?? {} }
    return operation.plainValidation ? withFirstFaultOnly(failure) : failure
  }
  const fallback = lookUp(operation.fault) ?? { leg, spec: { status: 500, message: 'Something failed on our side.' } }
  return { ...fallback, code: operation.fault, message: fallback.spec.message, extra: {} }
}
