import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { QueueDetails } from './queue-details.service.ts'

export const getQueuedMarketRoute = (details: QueueDetails) =>
  route(lendingOperations.getQueuedMarket, ({ tenant, caller, mountedAt, params }) =>
    details({ tenant, instance: caller.instance, mountedAt }, params.market),
  )
