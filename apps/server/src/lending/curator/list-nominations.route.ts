import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Nominations } from './nominations.service.ts'

export const listNominationsRoute = (nominations: Nominations) =>
  route(lendingOperations.listNominations, ({ tenant, mountedAt, params }) =>
    nominations.list({ tenant, mountedAt }, params.marketId),
  )
