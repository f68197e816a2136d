import { rfqOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const submitQuoteRoute = ({ quotes }: Rfqs) =>
  route(rfqOperations.submitQuote, async ({ tenant, params, body }) => ({
    data: await quotes.submit(tenant, params.id, body),
  }))
