/** Where the reference price of a book comes from. */
export interface FeedSettings {
  readonly priceRefMode: 'MANUAL' | 'STOCK_FEED' | 'EXTERNAL_FEED'
  readonly priceRefFeedUrl: string | null
  readonly priceRefFeedHeaders: string | null
  readonly priceRefFeedPath: string | null
}

/** What is not sent stays. */
export type FeedWish = { readonly [K in keyof FeedSettings]?: FeedSettings[K] }

export const NO_FEED: FeedSettings = {
  priceRefMode: 'MANUAL',
  priceRefFeedUrl: null,
  priceRefFeedHeaders: null,
  priceRefFeedPath: null,
}

export const feedFrom = (wish: FeedWish, before: FeedSettings): FeedSettings => ({
  priceRefMode: wish.priceRefMode ?? before.priceRefMode,
  priceRefFeedUrl: wish.priceRefFeedUrl === undefined ? before.priceRefFeedUrl : wish.priceRefFeedUrl,
  priceRefFeedHeaders: wish.priceRefFeedHeaders === undefined ? before.priceRefFeedHeaders : wish.priceRefFeedHeaders,
  priceRefFeedPath: wish.priceRefFeedPath === undefined ? before.priceRefFeedPath : wish.priceRefFeedPath,
})

export const isFeedWish = (wish: FeedWish): boolean =>
  wish.priceRefMode !== undefined ||
  wish.priceRefFeedUrl !== undefined ||
  wish.priceRefFeedHeaders !== undefined ||
  wish.priceRefFeedPath !== undefined

/** A change of the source asks it at once, and takes away the claim of whoever asks the old one. */
export const feedColumns = (feed: FeedSettings) => ({
  price_ref_mode: feed.priceRefMode,
  price_ref_feed_url: feed.priceRefFeedUrl,
  price_ref_feed_headers: feed.priceRefFeedHeaders,
  price_ref_feed_path: feed.priceRefFeedPath,
  price_ref_due_at: null,
  price_ref_claim: null,
  price_ref_claimed_until: null,
  price_ref_failures: 0,
  price_ref_error: null,
})

/** The names without what they hold: it may be a secret. */
export function withoutValues(text: string | null): string | null {
  if (text === null) return null
  const given = parsedJson(text)
  if (typeof given !== 'object' || given === null) return null
  return JSON.stringify(Object.fromEntries(Object.keys(given).map((name) => [name, '***'])))
}

/** Undefined: it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
