import { parseUnits } from '../../platform/amounts.rules.ts'
import { fieldError } from '../../platform/app-error.ts'

/** The finest that any token here can be: before its market is known, nothing finer can be refused, and nothing for its size. */
const FINEST = 36

/** That a text can be an amount at all, before the token is known. */
export function requirePositiveForm(field: string, text: string): void {
  const raw = parseUnits(text, FINEST)
  if (raw === null || raw === 0n)
    throw fieldError('VALIDATION_ERROR', [
      { field, message: `must be a positive decimal with at most ${FINEST} decimals` },
    ])
}
