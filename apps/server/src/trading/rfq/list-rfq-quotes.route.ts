import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const listRfqQuotesRoute = ({ requests }: Rfqs) =>
  route(rfqOperations.listRfqQuotes, async ({ tenant, params }) => {
    const rfq = await requests.get(tenant, params.id)
    return { data: { rfq, quotes: rfq.quotes } }
  })
