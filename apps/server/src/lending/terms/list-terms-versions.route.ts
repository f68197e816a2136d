import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadTerms } from './read-terms.service.ts'

export const listTermsVersionsRoute = (terms: ReadTerms) =>
  route(lendingOperations.listTermsVersions, ({ tenant, mountedAt, params, query }) =>
    terms.versions({ tenant, mountedAt }, params.marketId, query),
  )
