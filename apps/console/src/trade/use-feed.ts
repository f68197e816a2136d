import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Kind } from '../api/trading.ts'
import { createFeed, type Feed, type FeedState } from './feed.ts'

/** One feed for the whole screen, for as long as it shows the book. */
export function useFeed(kind: Kind, bookId: string): Feed | undefined {
  const [feed, setFeed] = useState<Feed>()
  useEffect(() => {
    const made = createFeed(kind, bookId)
    setFeed(made)
    made.start()
    return made.stop
  }, [kind, bookId])
  return feed
}

export const useFeedState = (feed: Feed): FeedState => useSyncExternalStore(feed.subscribe, feed.get)
