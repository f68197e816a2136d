import type { Route } from '../../platform/http/route.ts'
import { creditLedgerRoute } from './credit-ledger.route.ts'
import { debitLedgerRoute } from './debit-ledger.route.ts'
import { getAccountStatementRoute } from './get-account-statement.route.ts'
import type { LedgerService } from './ledger.service.ts'
import { listLedgerBalancesRoute } from './list-ledger-balances.route.ts'
import { listLedgerEntriesRoute } from './list-ledger-entries.route.ts'
import { listLedgerTokensRoute } from './list-ledger-tokens.route.ts'
import { registerLedgerTokenRoute } from './register-ledger-token.route.ts'
import type { Statements } from './statement.service.ts'

export { createLedgerService } from './ledger.service.ts'
export { createStatements } from './statement.service.ts'

export const ledgerRoutes = (ledger: LedgerService, statements: Statements): Route[] => [
  creditLedgerRoute(ledger),
  debitLedgerRoute(ledger),
  getAccountStatementRoute(statements),
  listLedgerBalancesRoute(ledger),
  listLedgerEntriesRoute(ledger),
  listLedgerTokensRoute(ledger),
  registerLedgerTokenRoute(ledger),
]
