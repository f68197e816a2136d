import type { Block } from '../../platform/chain/block.ts'
import type { Chains } from '../../platform/chain/chains.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { bookStore } from '../books/index.ts'
import { deathOf, exactChainAmount, quoteAmountDown, unitsDown } from '../signed/index.rules.ts'
import {
  askOrderState,
  asOnchainBook,
  createCustodies,
  createInquiry,
  createSignedRows,
  type OnchainBook,
} from '../signed/index.ts'
import type { UnitsService } from '../unit/index.ts'
import * as store from './auctions.store.ts'
import { type CollectedOrder, crossingOwn, type Verdict, verdictOf } from './collected.rules.ts'

interface CollectedOrdersParts {
  readonly chains: Chains
  readonly clock: Clock
  readonly database: Database
  readonly units: UnitsService
}

/**
 * Looks at the orders of an auction before it is cleared. On chain every other match is preceded by such a look: what was signed may have
 * been cancelled there, its funds withdrawn, its trader frozen.
 */
export function createCollectedOrders({ chains, clock, database, units }: CollectedOrdersParts) {
  const custodies = createCustodies({ clock })
  const rows = createSignedRows(database)

  async function judge(book: OnchainBook, orders: readonly CollectedOrder[]): Promise<Map<string, Verdict>> {
    const chain = chains.get(book.chainId)
    const signed = await rows.ofOrders(
      {},
      book.unitId,
      orders.map(({ orderId }) => orderId),
    )
    const custody = await custodies.of(chain, book)
    const inquiry = createInquiry()
    const market = custody.askMarket(inquiry)
    const asked = orders.map(({ orderId, remaining, reserved }) => {
      const found = signed.get(orderId)
      if (!found) return { orderId, verdict: (): Verdict => 'SIGNATURE_INVALID' }
      const { order } = found
      const wanted = exactChainAmount(remaining, book.baseDecimals) ?? 0n
      const [spent, decimals] = order.isBuy ? [book.quote, book.quoteDecimals] : [book.token, book.baseDecimals]
      const state = askOrderState(inquiry, book.custody, found)
      const backing = custody.askBacking(inquiry, order.trader, spent)
      const hindrance = custody.askTrader(inquiry, order, quoteAmountDown(wanted, order.price, book.baseDecimals))
      return {
        orderId,
        verdict: (block: Block): Verdict =>
          deathOf(order, state(), block.time, wanted) ??
          (unitsDown(backing(), decimals) < reserved ? 'FUNDS_GONE' : verdictOf(hindrance(block))),
      }
    })
    const block = await inquiry.send(chain)
    const closed = market()
    if (closed === 'CHANGED') custodies.forget(book)
    return new Map(asked.map(({ orderId, verdict }) => [orderId, closed ? 'WAIT' : verdict(block)]))
  }

  return {
    /** Ends what can never settle, each with the reason. False: nothing can be settled now, so nothing should be cleared. */
    async prune(bookId: string): Promise<boolean> {
      const [row, orders] = await database.as('tally_operator', async (sql) => {
        const [found] = await bookStore.findOffered(sql, bookId)
        return [found, await store.listCollected(sql, bookId)] as const
      })
      if (!row || orders.length === 0) return true
      const isOnChain = row.settlementMode === 'ON_CHAIN'
      const crossing = crossingOwn(orders, isOnChain)
      const others = orders.filter(({ orderId }) => !crossing.has(orderId))
      const verdicts = isOnChain ? await judge(asOnchainBook(row), others) : new Map<string, Verdict>()
      if ([...verdicts.values()].includes('WAIT')) return false
      const dead = [
        ...[...crossing].map((order) => ({ order, reason: 'SELF_TRADE_PREVENTION' as const })),
        ...[...verdicts].flatMap(([order, reason]) => (reason && reason !== 'WAIT' ? [{ order, reason }] : [])),
      ]
      if (dead.length > 0)
        await units.submit({}, row.unitId, {
          grant: null,
          looks: { instanceId: row.instanceId, holders: [], clientOrderIds: [] },
          perform(turn) {
            for (const { order, reason } of dead) turn.execute({ kind: 'cancel', at: 0, order, reason })
          },
        })
      return true
    },
  }
}

export type CollectedOrders = ReturnType<typeof createCollectedOrders>
