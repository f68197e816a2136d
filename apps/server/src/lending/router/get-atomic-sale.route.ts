import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AtomicSale } from './atomic-sale.service.ts'

export const getAtomicSaleRoute = (sales: AtomicSale) =>
  route(lendingOperations.getAtomicSale, ({ tenant, mountedAt, params, query }) =>
    sales.get({ tenant, mountedAt }, params.marketId, query.signerAddress),
  )
