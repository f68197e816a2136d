/** The one error feature code throws: a code of the operation's table, and what the caller needs to know beside it. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: string
  /** A sentence more helpful than the table's, or undefined for the table's. */
  readonly detail: string | undefined
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: string, options: { detail?: string; extra?: Record<string, unknown>; cause?: unknown } = {}) {
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
export function fieldError(code: string, faults: readonly FieldFault[]): AppError {
  return new AppError(code, {
    detail: faults.map(({ field, message }) => `${field} ${message}`).join('; '),
    extra: { details: faults },
  })
}
