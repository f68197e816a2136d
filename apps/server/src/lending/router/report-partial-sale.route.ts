import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { PartialSale } from './partial-sale.service.ts'

export const reportPartialSaleRoute = (sales: PartialSale) =>
  route(lendingOperations.reportPartialSale, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? sales.build(call, body) : sales.confirm(call, txHash)
  })
