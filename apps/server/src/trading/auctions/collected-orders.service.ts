import type { Address } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { Chains } from '../../platform/chain/chains.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { type AuctionLook, bookStore } from '../books/index.ts'
import { isStale } from '../orders/index.ts'
import { deathOf, exactChainAmount, quoteAmountDown, unitsDown } from '../signed/index.rules.ts'
import {
  askOrderState,
  asOnchainBook,
  createCustodies,
  createInquiry,
  createSignedRows,
  type OnchainBook,
} from '../signed/index.ts'
import { partyOf } from '../unit/index.rules.ts'
import type { Looks, Turn, UnitsService } from '../unit/index.ts'
import * as store from './auctions.store.ts'
import { crossingOwn, isBarred, isOutsideBand, type Verdict, verdictOf } from './collected.rules.ts'

interface CollectedOrdersParts {
  readonly chains: Chains
  readonly clock: Clock
  readonly database: Database
  readonly units: UnitsService
}

/** What the chain said of collected orders. */
interface ChainView {
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** What a wallet has of a token, less what trades that are not settled hold of it; order book units. */
  readonly funds: ReadonlyMap<string, { readonly backing: bigint; readonly staged: bigint }>
}

const NOTHING_ASKED: ChainView = { verdicts: new Map(), funds: new Map() }
const keyOf = (holder: string, token: string): string => `${holder} ${token}`

/**
 * Looks at the orders of an auction before it is cleared. Every other match is preceded by the checks of the order that comes in; here all
 * of them came in earlier. What was signed may have been cancelled since, its funds withdrawn, its trader frozen or suspended.
 */
export function createCollectedOrders({ chains, clock, database, units }: CollectedOrdersParts) {
  const custodies = createCustodies({ clock, database })
  const rows = createSignedRows(database)

  async function askChain(
    book: OnchainBook,
    orders: readonly store.CollectedRow[],
    staged: ReadonlyMap<string, bigint>,
  ): Promise<ChainView> {
    const chain = chains.get(book.chainId)
    const signed = await rows.ofOrders(
      {},
      book.unitId,
      orders.map(({ orderId }) => orderId),
    )
    const custody = await custodies.of(chain, book)
    const inquiry = createInquiry()
    const market = custody.askMarket(inquiry)
    const backings = new Map<string, { read: () => bigint; decimals: number }>()
    const askBacking = (trader: Address, isBuy: boolean) => {
      const [spent, decimals] = isBuy ? [book.quote, book.quoteDecimals] : [book.token, book.baseDecimals]
      const key = keyOf(trader, spent)
      if (!backings.has(key)) backings.set(key, { read: custody.askBacking(inquiry, trader, spent), decimals })
    }
    const asked = orders.map(({ orderId, remaining }) => {
      const found = signed.get(orderId)
      if (!found) return { orderId, verdict: (): Verdict => 'SIGNATURE_INVALID' }
      const { order } = found
      const wanted = exactChainAmount(remaining, book.baseDecimals) ?? 0n
      const state = askOrderState(inquiry, book.custody, found, custody.eras)
      askBacking(order.trader, order.isBuy)
      const hindrance = custody.askTrader(inquiry, order, quoteAmountDown(wanted, order.price, book.baseDecimals))
      return {
        orderId,
        verdict: (block: Block): Verdict => deathOf(order, state(), block.time, wanted) ?? verdictOf(hindrance(block)),
      }
    })
    const block = await inquiry.send(chain)
    const closed = market()
    if (closed === 'CHANGED') custodies.forget(book)
    return {
      verdicts: new Map(asked.map(({ orderId, verdict }) => [orderId, closed ? 'WAIT' : verdict(block)])),
      funds: new Map(
        [...backings].map(([key, { read, decimals }]) => [
          key,
          { backing: unitsDown(read(), decimals), staged: staged.get(key) ?? 0n },
        ]),
      ),
    }
  }

  function pruneInTurn(turn: Turn, bookId: string, { verdicts, funds }: ChainView): void {
    const book = turn.book(bookId)
    if (!book) return
    const isOnChain = book.settlementMode === 'ON_CHAIN'
    const end = (order: string, reason: Exclude<Verdict, 'WAIT' | null>) =>
      turn.execute({ kind: 'cancel', at: 0, order, reason })
    for (const order of turn.collected(bookId)) {
      const verdict = verdicts.get(order.id)
      if (verdict && verdict !== 'WAIT') end(order.id, verdict)
      else if (isBarred(turn.account(partyOf(order.account)), bookId)) end(order.id, 'MM_CONFIG_VIOLATION')
      else if (isOutsideBand(book, order)) end(order.id, 'PRICE_BAND_VIOLATION')
    }
    for (const order of crossingOwn(turn.collected(bookId), isOnChain)) end(order, 'SELF_TRADE_PREVENTION')
    // Whoever promised the same funds several times keeps the promises that are older.
    for (const { id, account, side } of isOnChain ? [...turn.collected(bookId)].reverse() : []) {
      const { holder } = partyOf(account)
      const token = side === 'BUY' ? book.quoteTokenAddress : book.tokenAddress
      const known = funds.get(keyOf(holder, token))
      if (known && BigInt(turn.custody().reserved(holder, token)) - known.staged > known.backing) end(id, 'FUNDS_GONE')
    }
  }

  async function askAbout(bookId: string): Promise<{ orders: readonly store.CollectedRow[]; seen: ChainView }> {
    const [row, orders] = await database.as('tally_operator', async (sql) => {
      const [found] = await bookStore.findOffered(sql, bookId)
      return [found, await store.listCollected(sql, bookId)] as const
    })
    if (row?.settlementMode !== 'ON_CHAIN' || orders.length === 0) return { orders, seen: NOTHING_ASKED }
    const book = asOnchainBook(row)
    const holders = [...new Set(orders.map(({ holder }) => holder))]
    const staged = await database.as('tally_operator', (sql) =>
      store.listStaged(sql, book.custody, String(book.chainId), holders),
    )
    const held = new Map(staged.map(({ holder, tokenAddress, amount }) => [keyOf(holder, tokenAddress), amount]))
    return { orders, seen: await askChain(book, orders, held) }
  }

  return {
    async look(bookId: string): Promise<AuctionLook> {
      // Whom the turn has to know is read from the rows.
      await units.projectLeft()
      const { orders, seen } = await askAbout(bookId)
      const byInstance = new Map<string, Set<string>>()
      for (const { instanceId, holder } of orders)
        byInstance.set(instanceId, (byInstance.get(instanceId) ?? new Set()).add(holder))
      return {
        looks: [...byInstance].map(
          ([instanceId, holders]): Looks => ({ instanceId, holders: [...holders], clientOrderIds: [] }),
        ),
        waitsFor(turn) {
          if ([...seen.verdicts.values()].includes('WAIT')) return 'The token is paused'
          const book = turn.book(bookId)
          return book && isStale(turn, book) ? 'The reference price is too old' : null
        },
        prune: (turn) => pruneInTurn(turn, bookId, seen),
      }
    },
  }
}

export type CollectedOrders = ReturnType<typeof createCollectedOrders>
