import type { Clock } from '@tallystick/server/platform'
import type { DemoWorld } from '../demo-world.ts'
import type { TravellingClock } from '../travelling-clock.ts'
import { keepDepth } from './depth.ts'
import { ensureBooks } from './ensure-books.ts'
import { ensureFunds } from './funds.ts'
import { ensurePast } from './past.ts'
import { requirePlaced } from './place-orders.ts'
import { keepReference } from './references.ts'
import { ensureProvider } from './rfq.ts'
import { settle } from './settle.ts'
import { hasTape, letFail, trade, untilSettled } from './tape.ts'
import { createTradingStage, type DemoBook, type TradingStage } from './trading-stage.ts'

/** The books of the demo, with depth and a tape. Does only what is missing and writes it into the world. */
export async function ensureTrading(
  world: DemoWorld,
  { clock, tradingClock }: { clock: Clock; tradingClock: TravellingClock },
): Promise<void> {
  const stage = createTradingStage(world, clock)
  const books = await ensureBooks(stage)
  // Before anything else happens on the books: while the clock is back there, it is for all of them.
  for (const book of books) if (book.plan.custody === 'ledger') await ensurePast(stage, book, tradingClock)
  const haveTapes = await Promise.all(books.map((book) => hasTape(stage, book)))
  const old = books.filter((_, index) => haveTapes[index])
  const young = books.filter((_, index) => !haveTapes[index])
  // A start may have been killed before this. Whatever else happened on them since is their people's.
  await Promise.all(old.map((book) => letFail(stage, book)))
  if (young.length === 0) return
  await Promise.all([ensureFunds(stage, young), ensureProvider(stage)])
  await Promise.all(young.map((book) => bringToLife(stage, book)))
}

async function bringToLife(stage: TradingStage, book: DemoBook): Promise<void> {
  await keepReference(stage, book)
  await trade(stage, book)
  const [refused] = await Promise.all([keepDepth(stage, book), settleTape(stage, book)])
  requirePlaced(refused)
  await untilSettled(stage, book)
}

/** The one that fails is ended first: nothing may settle it meanwhile. */
async function settleTape(stage: TradingStage, book: DemoBook): Promise<void> {
  await settle(stage, book, await letFail(stage, book))
}
