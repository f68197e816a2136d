import { createUnitFeed, type FeedListener, type FeedParts, type UnitFeed } from './unit-feed.ts'
import type { UnitWakes } from './unit-wakes.ts'

export interface FeedsParts extends FeedParts {
  readonly wakes: UnitWakes
  /** How long news may stay unnoticed when every wake-up is lost. */
  readonly pollMs?: number
}

const POLL_MS = 2_000

interface Held {
  readonly feed: Promise<UnitFeed>
  holders: number
  stop(): void
}

/** The units that somebody listens to: each is followed once, however many listen, and only as long. */
export function createUnitFeeds({ wakes, pollMs = POLL_MS, ...parts }: FeedsParts) {
  const feeds = new Map<string, Held>()

  const expire = (unitId: string, readVersion: bigint) => parts.units.look(unitId, readVersion, () => undefined)

  function hold(unitId: string, readVersion: bigint): Held {
    const known = feeds.get(unitId)
    if (known) return known
    const feed = createUnitFeed(parts, unitId, readVersion)
    const look = () => void feed.then((ready) => ready.catchUp()).catch(() => {})
    const silence = wakes.onNews(unitId, look)
    // An order that nobody touches ends all the same, and those who listen see it end.
    const timer = setInterval(() => void expire(unitId, 0n).then(look, look), pollMs).unref()
    const held: Held = {
      feed,
      holders: 0,
      stop() {
        if (feeds.get(unitId) !== held) return
        feeds.delete(unitId)
        clearInterval(timer)
        silence()
      },
    }
    feeds.set(unitId, held)
    return held
  }

  return {
    /**
     * Answers the feed once it has taken everything that was committed before the call; `join` is called in that very moment, so that
     * whatever the listener is shown then and told later fit together.
     */
    async follow(
      unitId: string,
      readVersion: bigint,
      join: (feed: UnitFeed) => FeedListener,
    ): Promise<{ leave(): void }> {
      const held = hold(unitId, readVersion)
      held.holders += 1
      const release = () => {
        held.holders -= 1
        if (held.holders === 0) held.stop()
      }
      try {
        const feed = await held.feed
        await expire(unitId, readVersion)
        await feed.catchUp()
        if (feed.isOver()) throw new Error(`the feed of unit ${unitId} has ended`)
        const listener = join(feed)
        feed.listeners.add(listener)
        return {
          leave() {
            feed.listeners.delete(listener)
            release()
          },
        }
      } catch (error) {
        held.stop()
        throw error
      }
    },
  }
}

export type UnitFeeds = ReturnType<typeof createUnitFeeds>
