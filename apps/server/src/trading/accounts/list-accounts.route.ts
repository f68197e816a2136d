import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AccountsService } from './accounts.service.ts'

export const listAccountsRoute = (service: AccountsService) =>
  route(tradingOperations.listAccounts, async ({ tenant, query }) => ({ data: await service.list(tenant, query) }))
