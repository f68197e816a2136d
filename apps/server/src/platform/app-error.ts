import type { Code } from '@tallystick/wire'

/** Codes that no operation fails with: one item of a list has it, a stream ends with it, or the operator reads it on the command line. */
type InnerCode =
  | 'CHAIN_NOT_SERVED'
  | 'CLAIM_NOT_ACTIVE'
  | 'NO_CODE'
  | 'NO_FACTORY'
  | 'NOT_AN_IMPLEMENTATION'
  | 'NOT_AN_UPGRADE'
  | 'NOT_THIS_CONTRACT'
  | 'ORDER_BOOK_MOVED'
  | 'OTHER_FACTORY'
  | 'PLAN_REFUSED'
  | 'UNKNOWN_CONTRACT'
  | 'UNKNOWN_KIND'

export type AppCode = Code | InnerCode

interface RefusalOptions {
  readonly detail?: string
  readonly extra?: Record<string, unknown>
  readonly cause?: unknown
}

/**
 * What a rule makes its refusals with. A leg's own takes only the codes of that leg, so a rule that names another one does not compile
 * where it is used: `throw refuse('LOAN_NOT_FOUND')`.
 */
export type Refuse<C extends AppCode> = (code: C, options?: RefusalOptions) => AppError

/** The one error feature code throws: a code of the operation's table, and what the caller needs to know beside it. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: AppCode
  /** A sentence more helpful than the table's, or undefined for the table's. */
  readonly detail: string | undefined
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: AppCode, options: RefusalOptions = {}) {
    super(options.detail ?? code, { cause: options.cause })
    this.code = code
    this.detail = options.detail
    this.extra = options.extra ?? {}
  }
}

export interface FieldFault {
  readonly field: string
  readonly message: string
}

/** Input that is not acceptable: the code, every fault in the sentence, and the list for programs. */
export function fieldError(code: AppCode, faults: readonly FieldFault[]): AppError {
  return new AppError(code, {
    detail: faults.map(({ field, message }) => `${field} ${message}`).join('; '),
    extra: { details: faults },
  })
}

/** For rules that are not told who asks. */
export const refuse: Refuse<AppCode> = (code, options) => new AppError(code, options)
