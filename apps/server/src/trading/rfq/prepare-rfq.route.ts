import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const prepareRfqRoute = ({ prepare }: Rfqs) =>
  route(rfqOperations.prepareRfq, async ({ tenant, params, body }) => prepare(tenant, params.id, body))
