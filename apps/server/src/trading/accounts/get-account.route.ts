import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AccountsService } from './accounts.service.ts'

export const getAccountRoute = (service: AccountsService) =>
  route(tradingOperations.getAccount, async ({ tenant, params }) => ({
    data: await service.get(tenant, params.accountId),
  }))
