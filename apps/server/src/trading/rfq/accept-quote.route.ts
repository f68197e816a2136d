import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const acceptQuoteRoute = ({ accept }: Rfqs) =>
  route(rfqOperations.acceptQuote, async ({ tenant, params, body }) => ({
    data: await accept(tenant, params.id, body),
  }))
