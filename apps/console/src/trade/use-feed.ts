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

/** One part of what the feed knows: whoever asks is drawn again when that part is another one, and not otherwise. */
export const useFeedPart = <Part>(feed: Feed, part: (state: FeedState) => Part): Part =>
  useSyncExternalStore(feed.subscribe, () => part(feed.get()))
