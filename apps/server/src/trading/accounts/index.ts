import type { Route } from '../../platform/http/route.ts'
import type { AccountsService } from './accounts.service.ts'
import { createAccountRoute } from './create-account.route.ts'
import { getAccountRoute } from './get-account.route.ts'
import { listAccountsRoute } from './list-accounts.route.ts'
import { updateAccountRoute } from './update-account.route.ts'

export { createAccountsService } from './accounts.service.ts'
export { findByHolder, openAccount } from './accounts.store.ts'

export const accountRoutes = (accounts: AccountsService): Route[] => [
  createAccountRoute(accounts),
  getAccountRoute(accounts),
  listAccountsRoute(accounts),
  updateAccountRoute(accounts),
]
