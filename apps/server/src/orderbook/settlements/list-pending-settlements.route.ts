import { orderbookOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { SettlementsService } from './settlements.service.ts'

export const listPendingSettlementsRoute = (service: SettlementsService) =>
  route(orderbookOperations.listPendingSettlements, async ({ tenant, mountedAt, query }) => ({
    data: await service.pending(tenant, mountedAt, query),
  }))
