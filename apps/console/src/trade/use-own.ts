import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  type Holder,
  type Kind,
  listOpenOrders,
  listOwnTrades,
  nameOfHolder,
  type Order,
  type Trade,
} from '../api/trading.ts'
import type { Feed } from './feed.ts'

/** Own news come in bursts: the first is shown at once, the others together, and the service is asked once for all of them. */
const SHOWN_MS = 500
const SOON_MS = 250
/** A burst that does not end is not waited for any longer. */
const LATEST_MS = 2_000
/** The service keeps all. */
const FILLS = 100

const keyOf = (what: 'open' | 'fills', kind: Kind, bookId: string, holder: Holder | undefined) => [
  ...['own', what, kind, bookId],
  holder ? nameOfHolder(holder) : '',
]

const isOwn = (name: string) => (trade: Trade) => trade.makerAddress === name || trade.takerAddress === name

/** What a fill leaves of an order; nothing once it is filled. */
function after(order: Order, trades: readonly Trade[]): Order | undefined {
  const own = trades.filter(({ makerOrderId, takerOrderId }) =>
    [makerOrderId, takerOrderId].some((id) => id === order.orderId),
  )
  if (own.length === 0) return order
  const filled = own.reduce((sum, { quantity }) => sum + BigInt(quantity), BigInt(order.filledQuantity))
  const remaining = BigInt(order.quantity) - filled
  if (remaining <= 0n) return undefined
  return {
    ...order,
    status: 'PARTIALLY_FILLED',
    filledQuantity: filled.toString(),
    remainingQuantity: remaining.toString(),
  }
}

/**
 * Open orders and fills of whoever trades. News of the stream show at once, and the service is asked for the truth right behind them; after
 * a break it is asked for everything, so that nothing of the break is missing.
 */
export function useOwn(feed: Feed, kind: Kind, bookId: string, holder: Holder | undefined) {
  const client = useQueryClient()
  const [openKey, fillsKey] = [keyOf('open', kind, bookId, holder), keyOf('fills', kind, bookId, holder)]
  const open = useQuery({
    queryKey: openKey,
    queryFn: () => (holder ? listOpenOrders(kind, bookId, holder) : []),
    refetchInterval: 15_000,
  })
  const fills = useQuery({
    queryKey: fillsKey,
    queryFn: async () => {
      if (!holder) return []
      const { trades } = await listOwnTrades(kind, holder)
      return trades.filter((trade) => [trade.orderBookId, trade.takerOrderBookId].includes(bookId)).slice(0, FILLS)
    },
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const askedAt = useRef<number>(undefined)
  const keys = useRef({ openKey, fillsKey })
  keys.current = { openKey, fillsKey }

  function refreshSoon(): void {
    const now = performance.now()
    askedAt.current ??= now
    clearTimeout(timer.current)
    const wait = Math.min(SOON_MS, askedAt.current + LATEST_MS - now)
    timer.current = setTimeout(() => {
      askedAt.current = undefined
      for (const queryKey of [keys.current.openKey, keys.current.fillsKey, ['available']])
        void client.invalidateQueries({ queryKey })
    }, wait)
  }

  const name = holder ? nameOfHolder(holder) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys follow from what is listed
  useEffect(() => {
    if (name === undefined) return
    let waiting: Trade[] = []
    let showing: ReturnType<typeof setTimeout> | undefined
    let shownAt = 0
    const show = () => {
      showing = undefined
      shownAt = performance.now()
      const news = waiting
      waiting = []
      client.setQueryData<readonly Trade[]>(fillsKey, (known = []) => {
        const ids = new Set(known.map(({ tradeId }) => tradeId))
        return [...news.filter(({ tradeId }) => !ids.has(tradeId)).toReversed(), ...known].slice(0, FILLS)
      })
      client.setQueryData<readonly Order[]>(openKey, (known = []) => known.flatMap((order) => after(order, news) ?? []))
    }
    const leave = feed.hear(({ isFresh, trades, hasFailed }) => {
      const own = trades.filter(isOwn(name))
      waiting.push(...own)
      if (own.length > 0) showing ??= setTimeout(show, shownAt + SHOWN_MS - performance.now())
      if (isFresh || hasFailed || own.length > 0) refreshSoon()
    })
    return () => {
      leave()
      clearTimeout(showing)
      clearTimeout(timer.current)
    }
  }, [feed, name, kind, bookId])

  return {
    open,
    fills,
    refreshSoon,
    /** What the service has just answered is known before it is asked again. */
    async put(order: Order): Promise<void> {
      await client.cancelQueries({ queryKey: openKey })
      const rests = ['OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING'].includes(order.status)
      client.setQueryData<readonly Order[]>(openKey, (known = []) => [
        ...(rests ? [order] : []),
        ...known.filter(({ orderId }) => orderId !== order.orderId),
      ])
      refreshSoon()
    },
    async drop(orderIds: readonly string[]): Promise<void> {
      await client.cancelQueries({ queryKey: openKey })
      client.setQueryData<readonly Order[]>(openKey, (known = []) =>
        known.filter(({ orderId }) => !orderIds.includes(orderId)),
      )
      refreshSoon()
    },
  }
}

export type Own = ReturnType<typeof useOwn>
