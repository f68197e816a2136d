import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { WriteTerms } from './write-terms.service.ts'

export const deleteTermsRoute = (terms: WriteTerms) =>
  route(lendingOperations.deleteTerms, ({ tenant, mountedAt, params }) =>
    terms.withdraw({ tenant, mountedAt }, params.marketId),
  )
