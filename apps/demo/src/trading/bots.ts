import type { Clock, Log, Random } from '@tallystick/server/platform'
import type { DemoWorld } from '../demo-world.ts'
import { createRounds } from '../rounds.ts'
import { createBotOrders } from './bot-orders.ts'
import { findBooks } from './ensure-books.ts'
import { placeOrders } from './place-orders.ts'
import { openRequests, quote } from './rfq.ts'
import { pendingOn, settle } from './settle.ts'
import { priceAt, unitsOf } from './trading-plan.ts'
import { createTradingStage, type DemoBook } from './trading-stage.ts'

/** Two orders a round of the one, one a round of the other: a few a second. */
const pace = { quote: 700, take: 900, settle: 3_000, answer: 2_000 }
const MOST_PATIENT_MS = 30_000

/** In basis points: all of it stays inside of the depth that the demo keeps. */
const LARGEST_STEP = 5
const FARTHEST = 30
const HALF_SPREAD = 8
const REACH = 15

interface BotParts {
  readonly world: DemoWorld
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
}

/**
 * Life on the books: the borrower quotes both sides around a price that wanders, the trader takes, and the issuer platform settles what they
 * traded, many at a time, and answers requests for quote. All of it through the public interface.
 */
export function createTradingBots({ world, log, clock, random }: BotParts) {
  const stage = createTradingStage(world, clock)
  const orders = createBotOrders(stage, random)
  const wandered = new Map<string, number>()
  let round = 0

  const between = (low: number, high: number): number => low + (random(4).readUInt32BE() % (high - low + 1))
  const middleOf = ({ id }: DemoBook): number => wandered.get(id) ?? 0

  function wander(book: DemoBook): number {
    const next = middleOf(book) + between(-LARGEST_STEP, LARGEST_STEP)
    const middle = Math.max(-FARTHEST, Math.min(FARTHEST, next))
    wandered.set(book.id, middle)
    return middle
  }

  async function quoteBook(book: DemoBook): Promise<void> {
    const middle = wander(book)
    const quantity = unitsOf(between(1, 4))
    await orders.replace(book, [
      { side: 'BUY', price: priceAt(book.plan, middle - HALF_SPREAD), quantity, postOnly: true },
      { side: 'SELL', price: priceAt(book.plan, middle + HALF_SPREAD), quantity, postOnly: true },
    ])
  }

  async function take(book: DemoBook): Promise<void> {
    const isBuy = between(0, 1) === 1
    const price = priceAt(book.plan, middleOf(book) + (isBuy ? REACH : -REACH))
    const request = {
      side: isBuy ? 'BUY' : 'SELL',
      price,
      quantity: unitsOf(between(1, 2)),
      timeInForce: 'IOC',
    } as const
    await placeOrders(stage, book, 'trader', [request])
  }

  async function answerRequests(books: readonly DemoBook[]): Promise<void> {
    const book = books.find(({ plan }) => plan.label === 'stock')
    if (!book) return
    for (const { id, side, requesterAddress, baseToken } of await openRequests(stage)) {
      const isOurs = baseToken === book.base && requesterAddress !== stage.issuer.account.address.toLowerCase()
      const bps = middleOf(book) + (side === 'BUY' ? HALF_SPREAD : -HALF_SPREAD)
      if (isOurs) await quote(stage, id, priceAt(book.plan, bps))
    }
  }

  function bot(what: keyof typeof pace, work: (books: readonly DemoBook[]) => Promise<void>) {
    const pass = async (): Promise<boolean> => {
      try {
        await work(await findBooks(stage))
        return true
      } catch (error) {
        log.debug({ err: error, what }, 'a bot of the demo could not do its work')
        return false
      }
    }
    return createRounds({ pass, everyMs: pace[what], mostPatientMs: MOST_PATIENT_MS })
  }
  const pick = (books: readonly DemoBook[], index: number): DemoBook[] => books.slice(index % books.length).slice(0, 1)

  const bots = [
    bot('quote', async (books) => {
      round += 1
      for (const book of pick(books, round)) await quoteBook(book)
    }),
    bot('take', async (books) => {
      for (const book of pick(books, between(0, 1_000))) await take(book)
    }),
    bot('settle', async (books) => {
      for (const book of books) if (book.custody !== null) await settle(stage, book, await pendingOn(stage, book))
    }),
    bot('answer', answerRequests),
  ]

  async function tidy(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.debug({ err: error }, 'orders of bots stay')
    }
  }

  return {
    /** What bots of an earlier start left behind is taken away first. */
    async start(): Promise<void> {
      await tidy(async () => orders.cancelOlder(await findBooks(stage)))
      for (const one of bots) one.start()
    },

    async stop(): Promise<void> {
      await Promise.all(bots.map((one) => one.stop()))
      await tidy(orders.cancelAll)
    },
  }
}
