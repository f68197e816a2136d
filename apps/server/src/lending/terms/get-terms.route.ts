import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadTerms } from './read-terms.service.ts'

export const getTermsRoute = (terms: ReadTerms) =>
  route(lendingOperations.getTerms, ({ tenant, mountedAt, params, query }) =>
    terms.current({ tenant, mountedAt }, params.marketId, query.format),
  )
