import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RecordAttestation } from './attestations.service.ts'

export const recordPriceAttestationRoute = (record: RecordAttestation) =>
  route(lendingOperations.recordPriceAttestation, ({ tenant, mountedAt, params, body }) =>
    record({ tenant, mountedAt }, params.marketId, body),
  )
