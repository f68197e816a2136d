import { tradingOperations } from '@tallystick/wire'
import { streamRoute } from '../../platform/http/route.ts'
import type { StreamsService } from './streams.service.ts'

export const streamOffchainFillsRoute = (service: StreamsService) =>
  streamRoute(tradingOperations.streamOffchainFills, ({ tenant, mountedAt, params, query, lastEventId }) =>
    service.fills(tenant, mountedAt, params.orderBookId, { after: query.after, lastEventId }),
  )
