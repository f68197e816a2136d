import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SignPrice } from './sign-price.service.ts'

export const signPriceRoute = (sign: SignPrice) =>
  route(lendingOperations.signPrice, ({ tenant, mountedAt, params, body }) =>
    sign({ tenant, mountedAt }, params.marketId, body),
  )
