import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const withdrawQuoteRoute = ({ quotes }: Rfqs) =>
  route(rfqOperations.withdrawQuote, async ({ tenant, params, body }) => ({
    data: await quotes.withdraw(tenant, params.id, params.quoteId, body.lpAddress),
  }))
