import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import type { LoanEvent } from './loan-events.rules.ts'

const figure = ({ effect }: LoanEvent, name: string) => BigInt(effect[name] ?? '0')
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** What the seizures of a loan left unpaid, from their events. Null: it was never seized. */
export function lossesOf(events: readonly LoanEvent[]) {
  const named = (event: string) => events.filter(({ operation }) => operation === `market.${event}`)
  const sum = (event: string, name: string) => named(event).reduce((total, one) => total + figure(one, name), 0n)
  const seizures = named('LoanLiquidated')
  if (seizures.length === 0) return null
  const idOf = ({ effect }: LoanEvent) => effect.realizationId ?? ''
  const settled = new Map(named('RealizationSettled').map((event) => [idOf(event), event]))
  const writtenOff = new Map(named('RealizationWrittenOff').map((event) => [idOf(event), event]))

  let pending = 0
  let missing = 0n
  for (const seizure of seizures) {
    const claim = figure(seizure, 'claim')
    const end = settled.get(idOf(seizure)) ?? writtenOff.get(idOf(seizure))
    // Where nothing was left to seize there is nothing to sell either.
    if (!end) pending += figure(seizure, 'collateral') === 0n ? 0 : 1
    // A write-off names no proceeds: what an auction brought counts as late cash.
    else missing += claim - smaller(figure(end, 'proceeds'), claim) - figure(end, 'covered')
  }
  return {
    records: seizures.length,
    pending,
    writtenOffAtSeizure: sum('WrittenOffAtSeizure', 'amount'),
    seizureReserveCovered: sum('WrittenOffAtSeizure', 'covered'),
    settlementShortfall: missing - sum('LateProceeds', 'toPool'),
    settlementReserveCovered: sum('RealizationSettled', 'covered') + sum('RealizationWrittenOff', 'covered'),
  }
}

/** The same as answers show it, beside what the market itself has on its books. */
export function shownLosses(market: Market, events: readonly LoanEvent[], lost: bigint) {
  const losses = lossesOf(events)
  if (!losses) return null
  const asText = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
  return {
    records: losses.records,
    pending: losses.pending,
    complete: losses.pending === 0,
    writtenOffAtSeizure: asText(losses.writtenOffAtSeizure),
    seizureReserveCovered: asText(losses.seizureReserveCovered),
    settlementShortfall: asText(losses.settlementShortfall),
    settlementReserveCovered: asText(losses.settlementReserveCovered),
    poolLoss: asText(lost),
    asset: { address: market.borrowAsset, symbol: market.borrowSymbol, decimals: market.borrowDecimals },
  }
}
