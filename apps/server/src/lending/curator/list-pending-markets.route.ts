import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Queue } from './queue.service.ts'

export const listPendingMarketsRoute = (queue: Queue) =>
  route(lendingOperations.listPendingMarkets, ({ tenant, caller, mountedAt, query }) =>
    queue.pending({ tenant, instance: caller.instance, mountedAt }, query),
  )
