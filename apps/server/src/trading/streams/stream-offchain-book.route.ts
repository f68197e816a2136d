import { tradingOperations } from '@tallystick/wire'
import { streamRoute } from '../../platform/http/route.ts'
import type { StreamsService } from './streams.service.ts'

export const streamOffchainBookRoute = (service: StreamsService) =>
  streamRoute(tradingOperations.streamOffchainBook, ({ tenant, mountedAt, params }) =>
    service.book(tenant, mountedAt, params.orderBookId),
  )
