import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadTerms } from './read-terms.service.ts'

export const getTermsVersionRoute = (terms: ReadTerms) =>
  route(lendingOperations.getTermsVersion, ({ tenant, mountedAt, params, query }) =>
    terms.version({ tenant, mountedAt }, params.marketId, params.version, query.format),
  )
