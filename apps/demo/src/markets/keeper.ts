import { isDeepStrictEqual } from 'node:util'
import type { Clock, Log } from '@tallystick/server/platform'
import { type DemoWorld, writeWorld } from '../demo-world.ts'
import { createRounds } from '../rounds.ts'
import { keepEarlierMarket } from './earlier-market.ts'
import { keepAuction } from './keep-auction.ts'
import { keepDueSoon } from './keep-due-soon.ts'
import { keepEscrow } from './keep-escrow.ts'
import { keepFees } from './keep-fees.ts'
import { keepPrice, pokeHistory } from './keep-prices.ts'
import { keepChangedProfile } from './keep-profile.ts'
import { readLoanBook } from './kept-market.ts'
import { earlierPlan, marketPlans, seekingPlan } from './market-plan.ts'
import { createStage } from './market-stage.ts'

const EVERY_MS = 15_000
/** What cannot be kept is tried again later and later: its people may have paused the market, or taken the keeper's roles. */
const MOST_PATIENT_MS = 15 * 60_000
/** The history of a market has a point per hour. */
const SNAPSHOT_EVERY_MS = 60 * 60_000

interface KeeperParts {
  readonly world: DemoWorld
  readonly file: string
  readonly log: Log
  readonly clock: Clock
}

/** Holds the markets of the demo alive while it runs, through the public interface. It never fails: what does not work waits. */
export function createMarketKeeper({ world, file, log, clock }: KeeperParts) {
  const stage = createStage(world)
  const lastPoke = new Map<string, number>()

  async function keep({ label, hasVenue }: (typeof marketPlans)[number]): Promise<void> {
    const market = world.markets[label]
    const marketId = market?.records.lender
    if (!market || !marketId) return
    await keepPrice(stage, marketId)
    const kept = { marketId, market, book: await readLoanBook(stage, marketId) }
    await keepDueSoon(stage, kept)
    if (hasVenue) await keepAuction(stage, kept)
    if (label === 'custody') {
      await keepFees(stage, kept)
      await keepEscrow(stage, kept)
    }
    const now = clock.now().getTime()
    if (now - (lastPoke.get(label) ?? 0) < SNAPSHOT_EVERY_MS) return
    await pokeHistory(stage, market)
    lastPoke.set(label, now)
  }

  /** Whether everything is as it should be. */
  async function pass(isStopping: () => boolean): Promise<boolean> {
    const before = structuredClone(world)
    let isWell = true
    const attempt = async (market: string, work: () => Promise<void>): Promise<void> => {
      if (isStopping()) return
      try {
        await work()
      } catch (error) {
        isWell = false
        log.debug({ err: error, market }, 'the demo could not keep a market')
      }
    }
    for (const plan of marketPlans) await attempt(plan.label, () => keep(plan))
    const { [earlierPlan.label]: earlier, [seekingPlan.label]: seeking } = world.markets
    if (earlier) await attempt(earlierPlan.label, () => keepEarlierMarket(stage, earlier))
    if (seeking) await attempt(seekingPlan.label, () => keepChangedProfile(stage, seeking))
    try {
      if (!isDeepStrictEqual(before, world)) writeWorld(file, world)
    } catch (error) {
      log.debug({ err: error }, 'the demo could not write its file')
    }
    return isWell
  }

  return createRounds({ pass, everyMs: EVERY_MS, mostPatientMs: MOST_PATIENT_MS })
}
