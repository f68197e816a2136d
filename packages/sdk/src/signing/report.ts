import type { Hex, OperationSpec, RequestShape } from '../operation.ts'
import { operationAt } from '../operation-at.ts'
import type { CallToSign } from './built-calls.ts'

interface ConfirmWith {
  readonly endpoint?: string
  readonly field?: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface SentCall {
  readonly call: CallToSign
  readonly hash: Hex
}

/** Where the hashes go: the operation itself, or the path that the answer names. */
export interface Report {
  readonly path: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const RESULTS = 'txResults'

/** The requests that tell the service what was sent, in order. None: the answer wants no report. */
export function reportsOf(
  built: unknown,
  sent: readonly SentCall[],
  operation: OperationSpec,
  request: RequestShape,
): Report[] {
  const { confirmWith, contractCreation } = built as { confirmWith?: ConfirmWith; contractCreation?: boolean }
  if (contractCreation || sent.length === 0) return []
  const field = confirmWith ? confirmWith.field : operation.confirmedBy
  if (field === undefined) return []
  const { endpoint } = confirmWith ?? {}
  const elsewhere = endpoint === undefined || operationAt('POST', endpoint)?.id === operation.id ? undefined : endpoint
  // The operation takes its own body again, as a cross-check; another route takes what the answer says.
  const own = elsewhere === undefined ? { ...request.body } : {}
  if (field === RESULTS) {
    const results = sent.map(({ call, hash }) => ({ fieldName: call.step.fieldName, txHash: hash }))
    return [{ path: elsewhere, body: { ...own, [field]: results } }]
  }
  const body = withoutNulls(confirmWith?.body ?? own)
  return sent.map(({ hash }) => ({ path: elsewhere, body: { ...body, [field]: hash } }))
}

/** A body to fill in names with null what is not known. */
function withoutNulls(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}
