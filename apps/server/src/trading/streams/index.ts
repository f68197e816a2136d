import type { Route } from '../../platform/http/route.ts'
import { streamFillsRoute } from './stream-fills.route.ts'
import { streamOffchainBookRoute } from './stream-offchain-book.route.ts'
import { streamOffchainFillsRoute } from './stream-offchain-fills.route.ts'
import { streamOrderBookRoute } from './stream-order-book.route.ts'
import { createStreamsService, type StreamsParts, type StreamsService } from './streams.service.ts'
import { createUnitFeeds, type FeedsParts } from './unit-feeds.ts'

export { createUnitWakes } from './unit-wakes.ts'

export const createStreams = (parts: Omit<StreamsParts, 'feeds'> & FeedsParts): StreamsService =>
  createStreamsService({ ...parts, feeds: createUnitFeeds(parts) })

export const streamRoutes = (service: StreamsService): Route[] => [
  streamFillsRoute(service),
  streamOffchainBookRoute(service),
  streamOffchainFillsRoute(service),
  streamOrderBookRoute(service),
]
