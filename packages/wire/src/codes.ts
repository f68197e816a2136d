import type * as accessOperations from './access/access.operations.ts'
import type * as inboxOperations from './access/inbox.operations.ts'
import type * as sessionOperations from './access/sessions.operations.ts'
import type * as ticketOperations from './access/tickets.operations.ts'
import type * as transactionOperations from './access/transactions.operations.ts'
import type { DoorCode } from './common.errors.ts'
import type * as identityOperations from './identity/identity.operations.ts'
import type { lendingOperations } from './lending/index.ts'
import type { CodeOf, OperationSpec } from './operation.ts'
import type * as registerOperations from './register/register.operations.ts'
import type * as relayerOperations from './relayer/relayer.operations.ts'
import type * as stocksOperations from './stocks/stocks.operations.ts'
import type * as tokensOperations from './tokens/tokens.operations.ts'
import type * as rfqOperations from './trading/rfq/rfq.operations.ts'
import type * as tradingOperations from './trading/trading.operations.ts'

type CodesOf<M> = { [K in keyof M]: M[K] extends OperationSpec ? CodeOf<M[K]> : never }[keyof M]

/** Every code that some operation can answer: what is not among them is a typing error, in both senses. */
export type Code =
  | DoorCode
  | CodesOf<typeof accessOperations>
  | CodesOf<typeof inboxOperations>
  | CodesOf<typeof sessionOperations>
  | CodesOf<typeof ticketOperations>
  | CodesOf<typeof transactionOperations>
  | CodesOf<typeof identityOperations>
  | CodesOf<typeof lendingOperations>
  | CodesOf<typeof tradingOperations>
  | CodesOf<typeof registerOperations>
  | CodesOf<typeof relayerOperations>
  | CodesOf<typeof rfqOperations>
  | CodesOf<typeof stocksOperations>
  | CodesOf<typeof tokensOperations>
