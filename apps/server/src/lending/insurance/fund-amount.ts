import { parseUnits } from '../../platform/amounts.rules.ts'

/** A positive amount in the smallest unit; null: it is none. */
export function positive(text: string, decimals: number): bigint | null {
  const raw = parseUnits(text, decimals)
  return raw === null || raw === 0n ? null : raw
}
