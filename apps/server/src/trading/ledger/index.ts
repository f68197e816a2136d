import type { Route } from '../../platform/http/route.ts'
import { creditLedgerRoute } from './credit-ledger.route.ts'
import { debitLedgerRoute } from './debit-ledger.route.ts'
import type { LedgerService } from './ledger.service.ts'
import { listLedgerBalancesRoute } from './list-ledger-balances.route.ts'
import { listLedgerEntriesRoute } from './list-ledger-entries.route.ts'
import { listLedgerTokensRoute } from './list-ledger-tokens.route.ts'
import { registerLedgerTokenRoute } from './register-ledger-token.route.ts'

export { createLedgerService } from './ledger.service.ts'

export const ledgerRoutes = (ledger: LedgerService): Route[] => [
  creditLedgerRoute(ledger),
  debitLedgerRoute(ledger),
  listLedgerBalancesRoute(ledger),
  listLedgerEntriesRoute(ledger),
  listLedgerTokensRoute(ledger),
  registerLedgerTokenRoute(ledger),
]
