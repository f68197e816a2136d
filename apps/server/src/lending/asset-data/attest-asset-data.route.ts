import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Attestation } from './attestation.service.ts'

export const attestAssetDataRoute = (attestation: Attestation) =>
  route(lendingOperations.attestAssetData, ({ tenant, caller, mountedAt, params }) =>
    attestation.build({ tenant, instance: caller.instance, mountedAt, market: params.market }),
  )
