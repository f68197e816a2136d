import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AccountsService } from './accounts.service.ts'

export const updateAccountRoute = (service: AccountsService) =>
  route(tradingOperations.updateAccount, async ({ tenant, params, body }) => ({
    data: await service.update(tenant, params.accountId, body),
  }))
