import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Archive } from './archive.service.ts'

export const archiveMarketRoute = (archive: Archive) =>
  route(lendingOperations.archiveMarket, ({ tenant, mountedAt, params }) =>
    archive({ tenant, mountedAt }, params.marketId),
  )
