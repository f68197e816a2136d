import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const listRfqsRoute = ({ requests }: Rfqs) =>
  route(rfqOperations.listRfqs, async ({ tenant, query }) => ({ data: await requests.list(tenant, query) }))
