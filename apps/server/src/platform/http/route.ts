import type { BodyOf, DataOf, Operation, OrdinaryOperation, ParamsOf, QueryOf } from '@tallystick/wire'
import type { Block } from '../chain/block.ts'
import type { Administered } from '../db/audit.ts'
import type { SharedRows, TenantDatabase } from '../db/database.ts'
import type { Once } from '../once.ts'
import type { RawJson } from '../raw-json.ts'
import type { FileAnswer } from './answer.ts'
import type { Caller } from './caller.ts'
import type { BuiltTransaction } from './safe-file.ts'
import type { StreamSource } from './streams.ts'

/** What a handler gets: a proven caller, checked input, and the rows of that caller's instance. */
export interface Call<O extends Operation> {
  readonly caller: Caller
  readonly tenant: TenantDatabase
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly requestId: string
  /** The last message of a stream that its listener has seen. */
  readonly lastEventId: string | undefined
  /** The path that was called, with `{name}` for parameters: one of the operation's prefixes. */
  readonly mountedAt: string
  /** Set where the route keeps idempotency keys by itself, and the request has one. */
  readonly once?: Once
}

/** What a handler of rows that belong to no instance gets. */
export interface SharedCall<O extends Operation> {
  readonly rows: SharedRows
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
}

/** What a handler gets that serves whoever comes. */
export interface OpenCall<O extends Operation> {
  readonly body: BodyOf<O>
  /** Where the page comes from that asks. */
  readonly origin: URL
  readonly userAgent: string | undefined
  /** The session that the request happens to come with, proven by nobody. */
  readonly session: string | undefined
}

export interface Result<T> {
  readonly data: T | RawJson<T>
  /** The session of the browser from now on; null: none. */
  readonly session?: string | null
  /** The block the answer was read at, when it came from the chain. */
  readonly block?: Block
  /** What the caller would sign, in order; asked for as a file, it is answered instead of `data`. */
  readonly calls?: readonly BuiltTransaction[]
  /** Answered instead of `data`. */
  readonly file?: FileAnswer
  /** What the operation declares to stand beside `data`. */
  readonly pagination?: object
  readonly metadata?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** What an endpoint answers, and for an administrative one the act as well. */
export type Outcome = Result<unknown> & Partial<Administered<unknown>>

/** Which server of the deployment has what the requests of an instance need in its memory. */
export interface ServedBest {
  /** Its address; undefined: this one, or nobody yet. `mustLook`: whatever was seen a moment ago. */
  at(instanceId: string, mustLook?: boolean): Promise<string | undefined>
  /** Whether an answer of it is still worth waiting for. */
  stillAnswers(instanceId: string, url: string): Promise<boolean>
  /** It could not be reached. */
  isGone(instanceId: string, url: string): void
}

/**
 * One endpoint, ready to be mounted: the operation's contract and the few lines that serve it. Which kind of key opens it is part of what
 * it is: only a shared one is ever reached with a register key, and it sees no more than such a key may read.
 */
export type Route = { readonly operation: Operation } & (
  | {
      readonly serves: 'instances'
      readonly handle: (call: Call<Operation>) => Promise<Outcome>
      /** Its handler commits the idempotency key together with what it does. */
      readonly keepsKeys?: true
      /** Another server may serve it better. */
      readonly servedBest?: ServedBest
    }
  | { readonly serves: 'everybody'; readonly handle: (call: SharedCall<Operation>) => Promise<Outcome> }
  | { readonly serves: 'anybody'; readonly handle: (call: OpenCall<Operation>) => Promise<Outcome> }
  | { readonly serves: 'listeners'; readonly open: (call: Call<Operation>) => Promise<StreamSource> }
)

/** The types of one operation are checked where its handler is written; whoever mounts it knows no single one. */
const forAny = <H>(handler: unknown): H => handler as H

/** Binds a handler to its operation; a wrong body, answer or field name does not compile. */
export const route = <O extends OrdinaryOperation>(
  operation: O,
  handler: (call: Call<O>) => Promise<Result<DataOf<O>>>,
): Route => ({ operation, serves: 'instances', handle: forAny(handler) })

/** The same, for a handler that keeps idempotency keys by itself. */
export const keyKeepingRoute = <O extends OrdinaryOperation>(
  operation: O,
  handler: (call: Call<O>) => Promise<Result<DataOf<O>>>,
): Route => ({ operation, serves: 'instances', handle: forAny(handler), keepsKeys: true })

/** The same for an administrative operation: its handler also tells the act. */
export const administrativeRoute = <O extends Operation & { readonly administrative: true }>(
  operation: O,
  handler: (call: Call<O>) => Promise<Administered<DataOf<O>>>,
): Route => ({ operation, serves: 'instances', handle: forAny(handler) })

/** The same for an operation that register keys open too. */
export const sharedRoute = <O extends Operation & { readonly registerKeys: true }>(
  operation: O,
  handler: (call: SharedCall<O>) => Promise<Result<DataOf<O>>>,
): Route => ({ operation, serves: 'everybody', handle: forAny(handler) })

/** The same for an operation that needs no key. */
export const openRoute = <O extends Operation & { readonly open: true }>(
  operation: O,
  handler: (call: OpenCall<O>) => Promise<Result<DataOf<O>>>,
): Route => ({ operation, serves: 'anybody', handle: forAny(handler) })

/** And for an operation that streams: the handler checks all that can be refused and answers what will be shown. */
export const streamRoute = <O extends Operation & { readonly stream: true }>(
  operation: O,
  open: (call: Call<O>) => Promise<StreamSource>,
): Route => ({ operation, serves: 'listeners', open: forAny(open) })
