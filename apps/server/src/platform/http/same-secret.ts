import { timingSafeEqual } from 'node:crypto'

/** How long it takes says nothing of where two of the same length differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
