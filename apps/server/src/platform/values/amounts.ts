import { parseUnits } from '../amounts.rules.ts'
import { fieldError } from '../app-error.ts'

/** The most that a word of a contract holds; books of a contract may hold less. */
const LARGEST = 2n ** 256n - 1n

const refuseField = (field: string, message: string) => fieldError('VALIDATION_ERROR', [{ field, message }])

/** A decimal above zero in the smallest unit of a token; null: it is none, finer than the token, or more than `most`. */
export function positiveUnits(text: string, decimals: number, most = LARGEST): bigint | null {
  const raw = parseUnits(text, decimals)
  return raw === null || raw === 0n || raw > most ? null : raw
}

/** The same for a field of a request, which the refusal names. */
export function requirePositive(field: string, text: string | undefined, decimals: number, most = LARGEST): bigint {
  const raw = text === undefined ? null : positiveUnits(text, decimals, most)
  if (raw === null) throw refuseField(field, `must be a decimal above zero with at most ${decimals} decimals`)
  return raw
}

/** The same where zero is an amount too. */
export function requireUnits(field: string, text: string, decimals: number, most = LARGEST): bigint {
  const raw = parseUnits(text, decimals)
  if (raw === null || raw > most) throw refuseField(field, `must be a decimal with at most ${decimals} decimals`)
  return raw
}
