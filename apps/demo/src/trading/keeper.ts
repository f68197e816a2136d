import { isDeepStrictEqual } from 'node:util'
import type { Clock, Log } from '@tallystick/server/platform'
import { DemoRefusedError } from '../demo-client.ts'
import { type DemoWorld, writeWorld } from '../demo-world.ts'
import { createRounds } from '../rounds.ts'
import { keepDepth } from './depth.ts'
import { findBooks } from './ensure-books.ts'
import { ensureFunds } from './funds.ts'
import { keepReference } from './references.ts'
import { keepRequest } from './rfq.ts'
import { pendingOn, settle } from './settle.ts'
import { createTradingStage, type DemoBook } from './trading-stage.ts'

/** A request for quote lives for a minute, and is replaced in good time. */
const EVERY_MS = 10_000
const MOST_PATIENT_MS = 60_000

/** Whoever makes a trade may want to settle it alone. */
const LEFT_ALONE_MS = 20_000
const SHORT = 'INSUFFICIENT_CUSTODY_BALANCE'

interface TradingKeeperParts {
  readonly world: DemoWorld
  readonly file: string
  readonly log: Log
  readonly clock: Clock
}

/** Holds the books of the demo alive while it runs, through the public interface. It never fails: what does not work waits. */
export function createTradingKeeper({ world, file, log, clock }: TradingKeeperParts) {
  const stage = createTradingStage(world, clock)

  async function keep(book: DemoBook): Promise<void> {
    await keepReference(stage, book)
    if (book.custody !== null) {
      const latest = clock.now().getTime() - LEFT_ALONE_MS
      const pending = await pendingOn(stage, book)
      const old = pending.filter(({ createdAt }) => Date.parse(createdAt) < latest)
      await settle(stage, book, old)
    }
    const refused = await keepDepth(stage, book)
    if (refused.some(({ error }) => error?.code === SHORT)) await ensureFunds(stage, [book])
    if (refused.length > 0)
      throw new Error(`orders were refused: ${refused.map(({ error }) => error?.code).join(', ')}`)
  }

  async function request(stock: DemoBook): Promise<void> {
    try {
      await keepRequest(stage, stock)
    } catch (error) {
      // Whoever answers has bought enough shares.
      if (error instanceof DemoRefusedError && error.code === SHORT) await ensureFunds(stage, [stock])
      throw error
    }
  }

  /** Whether everything is as it should be. */
  async function pass(isStopping: () => boolean): Promise<boolean> {
    const before = structuredClone(world.rfqs)
    let isWell = true
    const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
      if (isStopping()) return
      try {
        await work()
      } catch (error) {
        isWell = false
        log.debug({ err: error, what }, 'the demo could not keep its trading')
      }
    }
    let books: readonly DemoBook[] = []
    await attempt('books', async () => {
      books = await findBooks(stage)
    })
    const stock = books.find(({ plan }) => plan.label === 'stock')
    // First, and on its own: its time is short.
    if (stock) await attempt('request', () => request(stock))
    await attempt('file', async () => {
      if (!isDeepStrictEqual(before, world.rfqs)) writeWorld(file, world)
    })
    for (const book of books) await attempt(book.plan.label, () => keep(book))
    return isWell
  }

  return createRounds({ pass, everyMs: EVERY_MS, mostPatientMs: MOST_PATIENT_MS })
}
