import { parseUnits } from '../../platform/amounts.rules.ts'
import { fieldError } from '../../platform/app-error.ts'

const LARGEST = 2n ** 128n - 1n
/** The finest that any token here can be: before its market is known, nothing finer can be refused. */
const FINEST = 36

/** An amount in the smallest unit; a token that is not known yet only has its form checked. */
export function requirePositive(field: string, text: string, decimals = FINEST): bigint {
  const raw = parseUnits(text, decimals)
  if (raw === null || raw === 0n)
    throw fieldError('VALIDATION_ERROR', [
      { field, message: `must be a positive decimal with at most ${decimals} decimals` },
    ])
  if (decimals !== FINEST && raw > LARGEST) throw fieldError('VALIDATION_ERROR', [{ field, message: 'is too large' }])
  return raw
}
