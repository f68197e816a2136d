import { formatUnits } from '../../platform/amounts.rules.ts'
import { eventId } from '../../platform/ids.ts'
import type { Market } from '../core/index.rules.ts'
import { type LineKind, lineKinds } from '../figures/index.rules.ts'
import type { LoanEvent, Rebound } from './loan-events.rules.ts'

const amountOf = ({ amounts, fixed }: LineKind, { effect }: LoanEvent): bigint =>
  amounts.length === 0 ? BigInt(fixed) : amounts.reduce((sum, name) => sum + BigInt(effect[name] ?? '0'), 0n)

/** Who a line concerns: whom the event names, or the holder of the loan; what only names a realization is its sender's. */
function accountOf({ account, ofLoan }: LineKind, event: LoanEvent, holderAt: (place: string) => string): string {
  const named = account === null ? undefined : event.effect[account]
  return named ?? (ofLoan ? holderAt(event.place) : event.sender)
}

interface Story {
  readonly positionId: string
  /** Who opened the loan. */
  readonly opener: string
  readonly rebounds: readonly Rebound[]
}

/** Who held the loan when something happened. */
const holders =
  ({ opener, rebounds }: Omit<Story, 'positionId'>) =>
  (place: string): string =>
    rebounds.findLast((rebound) => BigInt(rebound.place) <= BigInt(place))?.wallet ?? opener

/** Tells the lines of a position's history, newest first like its events; so are those of an event that makes two. */
export function createLines(market: Market, marketId: string) {
  const kinds = new Map<string, LineKind[]>()
  for (const kind of lineKinds(market)) kinds.set(kind.operation, [kind, ...(kinds.get(kind.operation) ?? [])])
  const decimals = { asset: market.borrowDecimals, collateral: market.collateralDecimals, none: 0 }

  return function linesOf(story: Story, events: readonly LoanEvent[], most: number) {
    const holderAt = holders(story)
    const told = events.flatMap((event) => (kinds.get(event.operation) ?? []).map((kind) => ({ event, kind })))
    return told.slice(0, most).map(({ event, kind }) => ({
      id: eventId(market.chainId, event.txHash, event.logIndex, kind.txType),
      marketId,
      positionId: story.positionId,
      txType: kind.txType,
      userAddress: accountOf(kind, event, holderAt),
      amount: formatUnits(amountOf(kind, event), decimals[kind.unit]),
      txHash: event.txHash,
      timestamp: new Date(event.blockTime * 1000).toISOString(),
      recordedByThisInstance: event.recorded,
    }))
  }
}
