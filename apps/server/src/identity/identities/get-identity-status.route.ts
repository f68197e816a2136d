import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadStatus } from './read-status.service.ts'

export const getIdentityStatusRoute = (readStatus: ReadStatus) =>
  route(identityOperations.getIdentityStatus, ({ tenant, caller, params, query }) =>
    readStatus({ tenant, instance: caller.instance }, params.walletAddress, query.registryAddress),
  )
