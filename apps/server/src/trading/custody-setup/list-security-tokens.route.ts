import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Securities } from './securities.service.ts'

export const listSecurityTokensRoute = (service: Securities) =>
  route(tradingOperations.listSecurityTokens, async ({ tenant }) => ({ data: await service.tokens(tenant) }))
