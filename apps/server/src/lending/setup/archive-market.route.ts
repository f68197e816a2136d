import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Archive } from './archive.service.ts'

export const archiveMarketRoute = (archive: Archive) =>
  route(lendingOperations.archiveMarket, ({ tenant, mountedAt, params }) =>
    archive({ tenant, mountedAt }, params.marketId),
  )
