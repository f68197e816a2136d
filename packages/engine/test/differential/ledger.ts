import type { EngineEvent } from '../../src/events.ts'

interface Account {
  reserved: bigint
  isEnded: boolean
}

/** Follows reservations and fees from the events alone, as a server would, and says where they do not add up. */
export function createLedger() {
  const orders = new Map<string, Account>()
  const faults: string[] = []

  function take(order: string, amount: bigint): void {
    const account = orders.get(order)
    if (account === undefined) faults.push(`${order} trades and was never accepted`)
    else {
      account.reserved -= amount
      if (account.reserved < 0n) faults.push(`${order} spends ${-account.reserved} that is not reserved`)
    }
  }

  function follow(event: EngineEvent): void {
    if (event.kind === 'accepted') orders.set(event.order, { reserved: BigInt(event.reserved), isEnded: false })
    if (event.kind === 'trade') {
      const [buyer, seller] =
        event.side === 'BUY' ? [event.takerOrder, event.makerOrder] : [event.makerOrder, event.takerOrder]
      if (event.origin !== 'RFQ') {
        take(buyer, BigInt(event.buyerPays))
        take(seller, BigInt(event.quantity))
      }
      const fees = BigInt(event.makerFeeQuote) + BigInt(event.takerFeeQuote)
      if (BigInt(event.buyerPays) - BigInt(event.sellerGets) !== fees) faults.push(`trade ${event.trade} loses money`)
      if (fees < 0n) faults.push(`trade ${event.trade} pays more rebate than fee`)
      if (BigInt(event.notional) <= 0n || BigInt(event.sellerGets) < 0n)
        faults.push(`trade ${event.trade} is worth nothing`)
    }
    if (event.kind === 'orderChanged') {
      const account = orders.get(event.order)
      if (account === undefined) return
      account.reserved += BigInt(event.added) - BigInt(event.released)
      account.isEnded = ['FILLED', 'CANCELLED', 'EXPIRED'].includes(event.status)
      if (account.reserved !== BigInt(event.reserved))
        faults.push(`${event.order} has ${account.reserved} reserved by its events, and says ${event.reserved}`)
      if (account.isEnded && account.reserved !== 0n)
        faults.push(`${event.order} ended with ${account.reserved} reserved`)
      if (event.remaining < 0 || event.remaining > event.quantity)
        faults.push(`${event.order} has ${event.remaining} left`)
    }
  }

  return {
    /** What is wrong after these events. */
    follow(events: readonly EngineEvent[]): string[] {
      faults.length = 0
      for (const event of events) follow(event)
      return [...faults]
    },

    forget(): void {
      for (const [order, { isEnded }] of orders) if (isEnded) orders.delete(order)
    },
  }
}
