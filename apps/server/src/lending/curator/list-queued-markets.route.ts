import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Queue } from './queue.service.ts'

export const listQueuedMarketsRoute = (queue: Queue) =>
  route(lendingOperations.listQueuedMarkets, ({ tenant, caller, mountedAt }) =>
    queue.queued({ tenant, instance: caller.instance, mountedAt }),
  )
