export type Hex = `0x${string}`
export type Address = Hex
/** What an address line takes: all of it is text there. */
export type Scalar = string | number | boolean

/** One way an operation refuses. Compare `code`: it decides which fields `extra` has, and is never renamed. */
export interface Refusal<Code extends string = string, Status extends number = number, Extra = object> {
  readonly code: Code
  readonly status: Status
  readonly extra: Extra
}

/** Which fields failed, and how. */
export interface FieldFaults {
  readonly details?: ReadonlyArray<{ field: string; message: string }>
}

/** What every answer says about itself. */
export interface Metadata {
  readonly requestId: string
  readonly timestamp: string
  readonly instanceId?: string
  /** The one block that everything in the answer was read at. */
  readonly blockNumber?: string
  readonly blockHash?: string
  readonly chainTime?: number
}

export interface RequestShape {
  readonly surface?: string
  readonly params?: object
  readonly query?: object
  readonly body?: object
}

/** What an operation takes and how it refuses, as types. One such interface is generated per operation. */
export interface OperationShape {
  readonly request: RequestShape
  readonly refusal: Refusal
}

export interface PlainShape extends OperationShape {
  readonly data: unknown
  readonly pagination?: unknown
  /** What `metadata` holds beside the usual. */
  readonly about?: unknown
}

/** Answers something to sign. `confirmed` is what the report of the transaction answers, wherever it goes. */
export interface BuildShape extends OperationShape {
  readonly built: unknown
  readonly confirmed: unknown
}

/** The same, where the transaction is reported to the operation itself. */
export interface TwoLegShape extends BuildShape {
  readonly confirmation: object
}

export interface FileShape extends OperationShape {
  readonly contentType: string
}

export interface StreamShape extends OperationShape {
  readonly message: unknown
}

/** What the client has to know of an operation when it runs. */
export interface OperationSpec {
  readonly id: string
  readonly method: string
  /** With `{name}` for parameters, and `{surface}` where several prefixes serve it. */
  readonly path: string
  /** The documented one first. */
  readonly surfaces?: readonly string[]
  /** The field of the body that makes a request a confirmation. */
  readonly confirmedBy?: string
  /** Absent: the envelope. */
  readonly answers?: 'file' | 'stream'
}
