import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ListProofs } from './list-proofs.service.ts'

export const listProofsRoute = (listProofs: ListProofs) =>
  route(identityOperations.listProofs, ({ tenant, caller, params, query }) =>
    listProofs({ tenant, instance: caller.instance }, params.walletAddress, query.registryAddress),
  )
