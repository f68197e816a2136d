import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { QuotePermit } from './quote-permit.service.ts'

export const quotePermitRoute = (quotePermit: QuotePermit) =>
  route(lendingOperations.quotePermit, ({ tenant, mountedAt, params, body }) =>
    quotePermit({ tenant, mountedAt }, params.marketId, body),
  )
