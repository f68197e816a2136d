import { orderbookOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Securities } from './securities.service.ts'

export const listSecurityTokensRoute = (service: Securities) =>
  route(orderbookOperations.listSecurityTokens, async ({ tenant }) => ({ data: await service.tokens(tenant) }))
