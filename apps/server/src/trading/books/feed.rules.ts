/** Where the reference price of a book comes from. */
export interface FeedSettings {
  readonly priceRefMode: 'MANUAL' | 'STOCK_FEED' | 'EXTERNAL_FEED'
  readonly priceRefFeedUrl: string | null
  readonly priceRefFeedHeaders: string | null
  readonly priceRefFeedPath: string | null
}

/** What is not sent stays. */
export type FeedRequest = { readonly [K in keyof FeedSettings]?: FeedSettings[K] }

export const NO_FEED: FeedSettings = {
  priceRefMode: 'MANUAL',
  priceRefFeedUrl: null,
  priceRefFeedHeaders: null,
  priceRefFeedPath: null,
}

export const feedFrom = (request: FeedRequest, before: FeedSettings): FeedSettings => ({
  priceRefMode: request.priceRefMode ?? before.priceRefMode,
  priceRefFeedUrl: request.priceRefFeedUrl === undefined ? before.priceRefFeedUrl : request.priceRefFeedUrl,
  priceRefFeedHeaders:
    request.priceRefFeedHeaders === undefined ? before.priceRefFeedHeaders : request.priceRefFeedHeaders,
  priceRefFeedPath: request.priceRefFeedPath === undefined ? before.priceRefFeedPath : request.priceRefFeedPath,
})

export const isFeedRequest = (request: FeedRequest): boolean =>
  request.priceRefMode !== undefined ||
  request.priceRefFeedUrl !== undefined ||
  request.priceRefFeedHeaders !== undefined ||
  request.priceRefFeedPath !== undefined

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
