import { exact, isAmount, isWhole, MAX_AMOUNT } from '../amounts.ts'
import type { BookRules } from '../commands.ts'

const MAX_FEE_BPS = 1000

const isRate = (bps: number, least: number): boolean => Number.isInteger(bps) && bps >= least && bps <= MAX_FEE_BPS

export function areValid(rules: BookRules): boolean {
  const { tickSize, lotSize, minOrderSize, maxOrderSize, makerFeeBps, takerFeeBps, mmMakerRebateBps } = rules
  return (
    isAmount(tickSize) &&
    isAmount(lotSize) &&
    isWhole(minOrderSize) &&
    minOrderSize >= 0 &&
    minOrderSize <= MAX_AMOUNT &&
    (maxOrderSize === null || (isAmount(maxOrderSize) && maxOrderSize >= minOrderSize)) &&
    isRate(makerFeeBps, 0) &&
    isRate(takerFeeBps, 0) &&
    (mmMakerRebateBps === null || isRate(mmMakerRebateBps, -MAX_FEE_BPS))
  )
}

/** In one order of fields, and nothing else: what a caller adds must not reach the state. */
export function withChanges(rules: BookRules, changes: Partial<BookRules>): BookRules {
  const maxOrderSize = changes.maxOrderSize === undefined ? rules.maxOrderSize : changes.maxOrderSize
  return {
    tickSize: exact(changes.tickSize ?? rules.tickSize),
    lotSize: exact(changes.lotSize ?? rules.lotSize),
    minOrderSize: exact(changes.minOrderSize ?? rules.minOrderSize),
    maxOrderSize: maxOrderSize === null ? null : exact(maxOrderSize),
    makerFeeBps: changes.makerFeeBps ?? rules.makerFeeBps,
    takerFeeBps: changes.takerFeeBps ?? rules.takerFeeBps,
    mmMakerRebateBps: changes.mmMakerRebateBps === undefined ? rules.mmMakerRebateBps : changes.mmMakerRebateBps,
    rollUnmatched: changes.rollUnmatched ?? rules.rollUnmatched,
  }
}
