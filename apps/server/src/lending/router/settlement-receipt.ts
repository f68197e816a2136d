import type { Address } from 'viem'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import { eventsAt } from '../core/index.ts'
import { surplusesIn } from './settlement-events.ts'

const settlements = eventsAt('market', 'RealizationSettled')
const draws = eventsAt('market', 'ReserveDrawn')
const appliedDebts = eventsAt('market', 'LiquidationDebtApplied')

/**
 * The first settlement of a market's record in a transaction, which may hold several calls, as its events tell it. `after`: the log that
 * began it. The market tells of the surplus before it tells of the settlement, and names no record with it. Null: this record was not
 * settled.
 */
export function settlementIn(market: Address, logs: readonly ReceiptLog[], realizationId: bigint, after: number) {
  const later = logs.filter(({ logIndex }) => logIndex > after)
  const isOurs = ({ effect }: { readonly effect: { readonly realizationId: bigint } }) =>
    effect.realizationId === realizationId
  const end = settlements(market, later).find(isOurs)
  if (!end) return null
  const within = later.filter(({ logIndex }) => logIndex < end.logIndex)
  const { proceeds, covered, shortfall, penalty, recovered } = end.effect
  return {
    proceeds,
    covered,
    shortfall,
    penalty,
    recovered,
    debtApplied: appliedDebts(market, within).find(isOurs)?.effect.amount ?? 0n,
    /** What the insurance fund was asked for in this settlement; null: it was not asked. */
    requested: draws(market, within).find(isOurs)?.effect.requested ?? null,
    surplus: surplusesIn(market, within),
  }
}

export type SettlementReceipt = NonNullable<ReturnType<typeof settlementIn>>
