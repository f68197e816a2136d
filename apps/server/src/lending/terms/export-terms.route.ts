import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadTerms } from './read-terms.service.ts'

export const exportTermsRoute = (terms: ReadTerms) =>
  route(lendingOperations.exportTerms, ({ tenant, mountedAt, params, query }) =>
    terms.file({ tenant, mountedAt }, params.marketId, query.format),
  )
