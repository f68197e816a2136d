import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const openRfqRoute = ({ requests }: Rfqs) =>
  route(rfqOperations.openRfq, async ({ tenant, body }) => ({ data: await requests.open(tenant, body) }))
