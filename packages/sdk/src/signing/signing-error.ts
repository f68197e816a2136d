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
  | 'REVERTED'
  /** Another transaction with the same nonce was mined: report that one, if it does the same. */
  | 'REPLACED'
  | 'NOT_MINED'
  /** It is mined, but could not be reported; `cause` says why. Call the method again with the hash. */
  | 'NOT_CONFIRMED'

/** Something between building and confirming went wrong. `hashes` are those that were sent: none of them is lost. */
export class TallySigningError extends Error {
  override readonly name = 'TallySigningError'
  readonly fault: SigningFault
  readonly hashes: readonly Hex[]

  constructor(fault: SigningFault, message: string, more: { hashes?: readonly Hex[]; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.fault = fault
    this.hashes = more.hashes ?? []
  }
}
