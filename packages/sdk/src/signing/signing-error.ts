import type { Hex } from '../operation.ts'

export type SigningFault =
  /** The wallet is connected to another chain than the one that the call is for. */
  | 'WRONG_CHAIN'
  /** Somebody else has to sign this. */
  | 'WRONG_SIGNER'
  /** The service tried the call, and it would fail; the message says why. */
  | 'WOULD_REVERT'
  /** The call is not of the form that was asked for, or `allow` refused it. */
  | 'UNEXPECTED_CALL'
  /** It was mined and failed: nothing happened. */
  | 'REVERTED'
  /** Another transaction with the same nonce was mined, `replacedBy`: report that one, if it does the same. */
  | 'REPLACED'
  /** The last of `hashes` was sent, and may be mined by now or later. Report it later; sending anew could do the same twice. */
  | 'NOT_KNOWN_YET'
  /** A later one of several calls could not be sent; `hashes` are mined, `cause` says why. */
  | 'NOT_SENT'
  /** It is mined, but could not be reported; `cause` says why. Call the method again with the hash. */
  | 'NOT_CONFIRMED'

/** Something between building and confirming went wrong. `hashes` are those that were sent: none of them is lost. */
export class TallySigningError extends Error {
  override readonly name = 'TallySigningError'
  readonly fault: SigningFault
  readonly hashes: readonly Hex[]
  /** Of REPLACED: what was mined instead. */
  readonly replacedBy: Hex | undefined

  constructor(
    fault: SigningFault,
    message: string,
    more: { hashes?: readonly Hex[]; cause?: unknown; replacedBy?: Hex | undefined } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.fault = fault
    this.hashes = more.hashes ?? []
    this.replacedBy = more.replacedBy
  }
}
