import { tradingOperations } from '@tallystick/wire'
import { streamRoute } from '../../platform/http/route.ts'
import type { StreamsService } from './streams.service.ts'

export const streamOrderBookRoute = (service: StreamsService) =>
  streamRoute(tradingOperations.streamOrderBook, ({ tenant, mountedAt, params }) =>
    service.book(tenant, mountedAt, params.orderBookId),
  )
