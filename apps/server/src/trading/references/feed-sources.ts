import {
  createOutgoingTargets,
  type OutgoingTarget,
  RefusedTargetError,
} from '../../platform/outgoing/outgoing-targets.ts'
import type { FeedSettings } from '../books/index.rules.ts'
import { askFeed } from './ask-feed.ts'
import { FeedError, priceIn } from './feed-answer.rules.ts'
import { checkFeedForm, headersFrom, refuseConfig } from './feed-settings.ts'

/** What the operator of a deployment decides about feeds. */
export interface FeedOptions {
  /** Hosts that may be asked although they are not public. */
  readonly allowedHosts?: string | undefined
  /** With `{symbol}` in it; undefined: there is no stock feed. */
  readonly stockFeedUrl?: string | undefined
  readonly stockFeedPath?: string | undefined
  readonly ca?: string | undefined
  readonly timeoutMs?: number | undefined
}

const TIMEOUT_MS = 8_000
const STOCK_FEED_PATH = 'price'

/** The feeds that reference prices come from. */
export function createFeedSources(options: FeedOptions = {}) {
  const { stockFeedUrl, stockFeedPath = STOCK_FEED_PATH, timeoutMs = TIMEOUT_MS, ca } = options
  const targets = createOutgoingTargets({ allowedHosts: options.allowedHosts ?? '' })
  // Who configures the deployment may point it at a machine inside.
  const stockTargets = createOutgoingTargets({ allowedHosts: stockFeedUrl ? new URL(stockFeedUrl).host : '' })

  function targetOf(feed: FeedSettings): Promise<OutgoingTarget> {
    if (feed.priceRefMode === 'STOCK_FEED')
      return stockTargets.check(
        (stockFeedUrl ?? '').replaceAll('{symbol}', encodeURIComponent(feed.priceRefFeedPath ?? '')),
      )
    return targets.check(feed.priceRefFeedUrl ?? '')
  }

  return {
    /** INVALID_CONFIG, with a sentence, when a book cannot be fed like this. */
    async check(feed: FeedSettings): Promise<void> {
      checkFeedForm(feed, stockFeedUrl !== undefined)
      if (feed.priceRefMode !== 'EXTERNAL_FEED') return
      await targetOf(feed).catch((error: unknown) => {
        throw error instanceof RefusedTargetError ? refuseConfig(`priceRefFeedUrl: ${error.message}`) : error
      })
    },

    /** In order book units. The target is checked again each time: what a name leads to may have changed since. */
    async price(feed: FeedSettings): Promise<bigint> {
      const isStock = feed.priceRefMode === 'STOCK_FEED'
      if (isStock && stockFeedUrl === undefined) throw new FeedError('this deployment has no stock feed')
      const target = await targetOf(feed).catch((error: unknown) => {
        throw error instanceof RefusedTargetError ? new FeedError(error.message) : error
      })
      const headers = isStock ? {} : headersFrom(feed.priceRefFeedHeaders)
      return priceIn(
        await askFeed(target, { headers, timeoutMs, ca }),
        isStock ? stockFeedPath : (feed.priceRefFeedPath ?? ''),
      )
    },
  }
}

export type FeedSources = ReturnType<typeof createFeedSources>
