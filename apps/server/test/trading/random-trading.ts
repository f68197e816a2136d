import type { SeededRandom } from '@tallystick/testkit'
import { AppError } from '../../src/platform/app-error.ts'
import type { TestInstance } from '../world.ts'
import type { Venue } from './venue-world.ts'

export interface TradingRequest {
  readonly venues: readonly Venue[]
  readonly instance: TestInstance
  readonly books: readonly string[]
  readonly customers: readonly string[]
  readonly tokens: readonly string[]
  readonly random: SeededRandom
  readonly steps: number
  readonly atOnce: number
}

export interface TradingOutcome {
  /** Orders that were acknowledged. */
  readonly acknowledged: Set<string>
  readonly refused: Map<string, number>
  /** Neither taken nor refused. */
  readonly failed: unknown[]
}

const price = (random: SeededRandom) => String(random.integer(95, 105) * 100_000)
const quantity = (random: SeededRandom) => String(random.integer(1, 400) * 10_000)

/** What customers of several kinds do to some books, many at a time, over several servers. */
export async function tradeAtRandom(request: TradingRequest): Promise<TradingOutcome> {
  const { venues, instance, books, customers, tokens, random } = request
  const acknowledged = new Set<string>()
  const refused = new Map<string, number>()
  const failed: unknown[] = []
  const resting: { orderId: string; customerRef: string }[] = []

  function newOrder() {
    const isMarket = random.chance(0.1)
    const timeInForce = random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const)
    return {
      customerRef: random.pick(customers),
      side: random.pick(['BUY', 'SELL'] as const),
      orderType: isMarket ? ('MARKET' as const) : ('LIMIT' as const),
      ...(isMarket ? {} : { price: price(random) }),
      quantity: quantity(random),
      timeInForce,
      postOnly: !isMarket && timeInForce === 'GTC' && random.chance(0.15),
      selfTradePreventionMode: random.pick(['NONE', 'CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'] as const),
    }
  }

  function note(order: { orderId: string; userAddress: string }): void {
    acknowledged.add(order.orderId)
    resting.push({ orderId: order.orderId, customerRef: order.userAddress.slice('offchain:'.length) })
  }

  async function step(): Promise<void> {
    const venue = random.pick(venues)
    const { caller, tenant } = await venue.as(instance)
    const dice = random.next()
    const book = random.pick(books)
    if (dice < 0.6) {
      note((await venue.orders.submit(tenant, caller, book, newOrder())).order)
    } else if (dice < 0.72) {
      const orders = Array.from({ length: random.integer(1, 12) }, newOrder)
      const { results } = await venue.orders.submitBatch(tenant, caller, book, orders)
      for (const result of results) if (result.accepted) note(result.order)
    } else if (dice < 0.84 && resting.length > 0) {
      const [{ orderId, customerRef } = { orderId: '', customerRef: '' }] = resting.splice(
        random.integer(0, resting.length - 1),
        1,
      )
      await venue.orders.cancel(tenant, caller, orderId, customerRef)
    } else if (dice < 0.92 && resting.length > 0) {
      const { orderId, customerRef } = random.pick(resting)
      const change = random.chance(0.5) ? { quantity: quantity(random) } : { price: price(random) }
      await venue.orders.amend(tenant, caller, orderId, { customerRef, ...change })
    } else if (dice < 0.93) {
      await venue.orders.massCancel(tenant, caller, { customerRef: random.pick(customers) })
    } else {
      const movement = {
        customerRef: random.pick(customers),
        tokenAddress: random.pick(tokens),
        amount: quantity(random),
      }
      if (random.chance(0.6)) await venue.ledger.credit(tenant, movement)
      else await venue.ledger.debit(tenant, movement)
    }
  }

  let left = request.steps
  const walk = async () => {
    while (left-- > 0)
      try {
        await step()
      } catch (error) {
        if (error instanceof AppError) refused.set(error.code, (refused.get(error.code) ?? 0) + 1)
        else failed.push(error)
      }
  }
  await Promise.all(Array.from({ length: request.atOnce }, walk))
  return { acknowledged, refused, failed }
}
