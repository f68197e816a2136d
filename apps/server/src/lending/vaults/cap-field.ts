import { parseUnits } from '../../platform/amounts.rules.ts'
import { fieldError } from '../../platform/app-error.ts'

/** How much of a vault a market may hold; 0 is a cap too. */
export function requireCap(text: string, decimals: number): bigint {
  const raw = parseUnits(text, decimals)
  if (raw === null)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'cap', message: `must be a decimal with at most ${decimals} decimals, or 0` },
    ])
  return raw
}
