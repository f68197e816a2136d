import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AccountsService } from './accounts.service.ts'

export const createAccountRoute = (service: AccountsService) =>
  route(tradingOperations.createAccount, async ({ tenant, body }) => ({ data: await service.create(tenant, body) }))
