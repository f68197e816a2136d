import type { SeededRandom, Wallet } from '@tallystick/testkit'
import { AppError } from '../../src/platform/app-error.ts'
import type { TestInstance } from '../world.ts'
import type { OnchainBook, OnchainWorld } from './onchain-world.ts'
import type { Venue } from './venue-world.ts'

export interface SigningRequest {
  readonly world: OnchainWorld
  readonly venues: readonly Venue[]
  readonly instances: readonly TestInstance[]
  readonly book: OnchainBook
  readonly random: SeededRandom
  readonly steps: number
  readonly atOnce: number
}

export interface SigningOutcome {
  readonly taken: number
  readonly trades: number
  readonly refused: ReadonlyMap<string, number>
  /** Neither taken nor refused. */
  readonly failed: readonly unknown[]
}

/** What wallets do to one book through several instances and servers, many at a time. */
export async function signAtRandom(request: SigningRequest): Promise<SigningOutcome> {
  const { world, venues, instances, book, random } = request
  const { traders } = world
  const refused = new Map<string, number>()
  const failed: unknown[] = []
  const resting: { orderId: string; wallet: Wallet; instance: TestInstance }[] = []
  let [taken, trades] = [0, 0]

  async function signed(wallet: Wallet) {
    const { body } = await world.signOrder(wallet, book, {
      side: random.pick(['BUY', 'SELL'] as const),
      price: BigInt(random.integer(95, 105)) * 1_000_000n,
      quantity: BigInt(random.integer(1, 400)) * 100_000n,
      maxFee: 100_000_000n,
    })
    const { orderBookId: _book, ...order } = body as unknown as { orderBookId: string } & Parameters<
      Venue['signedOrders']['submit']
    >[4]
    return { ...order, timeInForce: random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const) }
  }

  async function step(): Promise<void> {
    const [venue, instance, wallet] = [random.pick(venues), random.pick(instances), random.pick(traders)]
    const { caller, tenant } = await venue.as(instance)
    const note = (placed: { order: { orderId: string; userAddress: string }; trades: readonly unknown[] }) => {
      taken += 1
      trades += placed.trades.length
      const owner = traders.find(({ address }) => address.toLowerCase() === placed.order.userAddress)
      if (owner) resting.push({ orderId: placed.order.orderId, wallet: owner, instance })
    }
    const mountedAt = `${book.prefix}/orders`
    const dice = random.next()
    if (dice < 0.7) {
      note(await venue.signedOrders.submit(tenant, caller, mountedAt, book.id, await signed(wallet)))
    } else if (dice < 0.8) {
      const orders = await Promise.all([signed(wallet), signed(random.pick(traders)), signed(wallet)])
      const { results } = await venue.signedOrders.submitBatch(tenant, caller, mountedAt, book.id, orders)
      for (const result of results) if (result.accepted) note(result)
    } else if (resting.length > 0) {
      const [own] = resting.splice(random.integer(0, resting.length - 1), 1)
      if (!own) return
      const of = await venue.as(own.instance)
      const named = { orderId: own.orderId, userAddress: own.wallet.address }
      if (dice < 0.9) await venue.signedOrders.cancel(of.tenant, of.caller, mountedAt, named)
      else await venue.signedOrders.amend(of.tenant, of.caller, mountedAt, { ...named, quantity: '100000' })
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
  return { taken, trades, refused, failed }
}
