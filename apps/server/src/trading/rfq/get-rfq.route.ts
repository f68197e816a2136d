import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const getRfqRoute = ({ requests }: Rfqs) =>
  route(rfqOperations.getRfq, async ({ tenant, params }) => ({ data: await requests.get(tenant, params.id) }))
