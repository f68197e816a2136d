import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const cancelRfqRoute = ({ requests }: Rfqs) =>
  route(rfqOperations.cancelRfq, async ({ tenant, params, body }) => ({
    data: await requests.cancel(tenant, params.id, body.requesterAddress),
  }))
