import { type Address, type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import { abis } from '../contracts.ts'
import { expectedEvent, type Market, type StagedTrade } from './staged-trade.rules.ts'

/** What a transaction did with one trade. */
export type TradeProof =
  | { readonly is: 'SETTLED' }
  /** Under the name of the trade, but not what was matched. */
  | { readonly is: 'SETTLED_DIFFERENTLY'; readonly differs: string }
  | { readonly is: 'REFUSED'; readonly data: Hex }

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' ? a.toLowerCase() === b.toLowerCase() : a === b

type SeenLog = Pick<ReceiptLog, 'address' | 'topics' | 'data'>

function eventsOf(custody: Address, logs: readonly SeenLog[]) {
  // Only the custody contract itself is believed: anybody can emit an event that looks like it. Both contracts have the same events.
  const own = logs.filter(({ address }) => isAddressEqual(address, custody))
  const eventName: ('TradeSettled' | 'FillRefused')[] = ['TradeSettled', 'FillRefused']
  return parseEventLogs({ abi: abis.tradingVault, eventName, logs: own as unknown as Log[] })
}

/** What the logs prove about trades, by the id of the trade. Trades that they do not name are missing. */
export function proofsIn(
  market: Market,
  trades: readonly StagedTrade[],
  logs: readonly SeenLog[],
): Map<string, TradeProof> {
  const proofs = new Map<string, TradeProof>()
  const wanted = new Map(trades.map((trade) => [expectedEvent(trade, market).tradeRef.toLowerCase(), trade]))
  for (const { eventName, args } of eventsOf(market.custody, logs)) {
    const trade = wanted.get(args.tradeRef.toLowerCase())
    if (!trade || !isAddressEqual(args.token, market.token)) continue
    if (eventName === 'FillRefused') {
      // A batch may try one trade twice; what is settled stays settled.
      if (!proofs.has(trade.tradeId)) proofs.set(trade.tradeId, { is: 'REFUSED', data: args.data })
      continue
    }
    // Something else may stand under the same name.
    if (proofs.get(trade.tradeId)?.is === 'SETTLED') continue
    const told: Readonly<Record<string, unknown>> = args
    const differing = Object.entries(expectedEvent(trade, market)).find(([name, value]) => !isSame(value, told[name]))
    proofs.set(trade.tradeId, differing ? { is: 'SETTLED_DIFFERENTLY', differs: differing[0] } : { is: 'SETTLED' })
  }
  return proofs
}
