import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { WriteTerms } from './write-terms.service.ts'

export const putTermsRoute = (terms: WriteTerms) =>
  route(lendingOperations.putTerms, ({ tenant, mountedAt, params, body }) =>
    terms.put({ tenant, mountedAt }, params.marketId, body),
  )
