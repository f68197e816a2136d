import { envelopeOf } from './envelope.ts'
import { type Groups, groups, type Surfaces } from './generated/groups.ts'
import type { OperationSpec, RequestShape } from './operation.ts'
import { defaultRetry, type RetryPolicy } from './retry.ts'
import { sleep } from './sleep.ts'
import { readEvents } from './streams/read-events.ts'
import { type CallOptions, createTransport, type Transport } from './transport.ts'

const TIMEOUT_MS = 30_000

export interface TallyOptions {
  /** Where the service is, without a path of its operations. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
  readonly retry?: Partial<RetryPolicy>
  /** Of one try. */
  readonly timeoutMs?: number
  /** Which prefix a group uses where a call does not say `surface`. */
  readonly surfaces?: Surfaces
  readonly random?: () => number
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly createIdempotencyKey?: () => string
}

/** The client: every operation is a method of the group that its tag names. */
export type Tally = Groups

async function fileOf(response: Response): Promise<object> {
  const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';')
  const name = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { bytes: new Uint8Array(await response.arrayBuffer()), contentType, name }
}

function methodOf(operation: OperationSpec, transport: Transport): object {
  const call =
    operation.answers === 'stream'
      ? (request: RequestShape = {}, options: CallOptions = {}) => readEvents(transport, operation, request, options)
      : async (request: RequestShape = {}, options: CallOptions = {}) => {
          const response = await transport.send(operation, request, options)
          return operation.answers === 'file' ? fileOf(response) : envelopeOf(response)
        }
  // Not shown when a method is printed: the transport knows the key.
  return Object.defineProperties(call, {
    name: { value: operation.id },
    operation: { value: operation, enumerable: true },
    transport: { value: transport },
  })
}

export function createTally(options: TallyOptions): Tally {
  const groupOf = new Map<OperationSpec, string>()
  for (const [group, operations] of Object.entries(groups))
    for (const operation of Object.values(operations)) groupOf.set(operation, group)
  const surfaces: Readonly<Record<string, string | undefined>> = { ...options.surfaces }

  const transport = createTransport({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    // Browsers insist on being called as a method of the window.
    fetch: options.fetch ?? ((...given) => globalThis.fetch(...given)),
    retry: { ...defaultRetry, ...options.retry },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    surfaceOf: (operation) => surfaces[groupOf.get(operation) ?? ''],
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
    createIdempotencyKey: options.createIdempotencyKey ?? (() => globalThis.crypto.randomUUID()),
  })
  const bound = Object.entries(groups).map(([group, operations]) => [
    group,
    Object.fromEntries(Object.entries(operations).map(([id, operation]) => [id, methodOf(operation, transport)])),
  ])
  // The table and the types were generated from the same document.
  return Object.fromEntries(bound) as Tally
}
