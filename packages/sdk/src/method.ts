import type {
  BuildShape,
  FileShape,
  Metadata,
  OperationShape,
  OperationSpec,
  PlainShape,
  StreamShape,
  TwoLegShape,
} from './operation.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface Answered<Data> {
  readonly data: Data
  readonly metadata: Metadata
  /** True: the answer to an earlier request with the same Idempotency-Key. */
  readonly isReplay: boolean
}

type Beside<S> = (S extends { pagination: infer P } ? { readonly pagination: P } : unknown) &
  (S extends { about: infer A } ? { readonly metadata: Metadata & A } : unknown)

export type AnswerOf<S extends PlainShape> = Answered<S['data']> & Beside<S>

export interface FileAnswer<Type extends string> {
  readonly bytes: Uint8Array
  readonly contentType: Type
  readonly name: string | undefined
}

type Arguments<Request> =
  Record<never, never> extends Request
    ? [request?: Request, options?: CallOptions]
    : [request: Request, options?: CallOptions]

/** The request that reports a transaction to the operation that built it. */
export type ConfirmRequest<S extends TwoLegShape> = Omit<S['request'], 'body'> & {
  readonly body: NonNullable<S['request']['body']> & S['confirmation']
}

/** What every method carries, so that helpers can be handed the method itself. */
export interface Bound<S extends OperationShape> {
  readonly operation: OperationSpec
  readonly transport: Transport
  /** Never there: it only tells the compiler which operation this is. */
  readonly shape?: S
}

export interface Method<S extends PlainShape> extends Bound<S> {
  (...given: Arguments<S['request']>): Promise<AnswerOf<S>>
}

/** Builds something to sign; `signAndConfirm` does the rest. */
export interface BuildMethod<S extends BuildShape> extends Bound<S> {
  (...given: Arguments<S['request']>): Promise<Answered<S['built']>>
}

export interface TwoLegMethod<S extends TwoLegShape> extends Bound<S> {
  (request: ConfirmRequest<S>, options?: CallOptions): Promise<Answered<NonNullable<S['confirmed']>>>
  (...given: Arguments<S['request']>): Promise<Answered<S['built']>>
}

export interface FileMethod<S extends FileShape> extends Bound<S> {
  (...given: Arguments<S['request']>): Promise<FileAnswer<S['contentType']>>
}

/** One connection: messages until either side ends it. `followBook` and `followEvents` come back by themselves. */
export interface StreamMethod<S extends StreamShape> extends Bound<S> {
  (...given: Arguments<S['request']>): AsyncGenerator<S['message'], void, undefined>
}

/** The codes of one operation, from its method. */
export type RefusalOf<M> = M extends Bound<infer S> ? S['refusal'] : never
