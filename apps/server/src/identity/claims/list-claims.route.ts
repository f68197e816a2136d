import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ListClaims } from './list-claims.service.ts'

export const listClaimsRoute = (listClaims: ListClaims) =>
  route(identityOperations.listClaims, ({ tenant, caller, params, query }) =>
    listClaims({ tenant, instance: caller.instance }, params.walletAddress, query.registryAddress),
  )
