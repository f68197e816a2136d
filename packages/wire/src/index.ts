import * as accessOperations from './access/access.operations.ts'
import * as inboxOperations from './access/inbox.operations.ts'
import * as sessionOperations from './access/sessions.operations.ts'
import * as ticketOperations from './access/tickets.operations.ts'
import * as transactionOperations from './access/transactions.operations.ts'
import { codesOf } from './define-operation.ts'
import * as identityOperations from './identity/identity.operations.ts'
import { lendingOperations } from './lending/index.ts'
import type { Operation } from './operation.ts'
import * as registerOperations from './register/register.operations.ts'
import * as relayerOperations from './relayer/relayer.operations.ts'
import * as stocksOperations from './stocks/stocks.operations.ts'
import * as tokensOperations from './tokens/tokens.operations.ts'
import * as rfqOperations from './trading/rfq/rfq.operations.ts'
import * as tradingOperations from './trading/trading.operations.ts'

export { type OperatorAct, operatorActs } from './access/access.schemas.ts'
export { type NeedKind, needKinds } from './access/inbox.operations.ts'
export { type UserRole, userRoles } from './access/sessions.schemas.ts'
export { AwaitingApproval } from './access/transactions.schemas.ts'
export type { Code } from './codes.ts'
export { routeErrors, transactionErrors, validationErrors } from './common.errors.ts'
export { codesOf, defineOperation } from './define-operation.ts'
export { Failure, Metadata, SafeFile, Success } from './envelope.ts'
export type { ClaimSlot, InvestorType, RegisterKind } from './identity/identity.schemas.ts'
export { claimSlots, identityStatuses, investorTypes } from './identity/identity.schemas.ts'
export * from './lending/index.ts'
export * from './operation.ts'
export * from './primitives.ts'
export type {
  IssuerDetailsRecord,
  IssuerField,
  IssuerRecord,
  LicenseType,
  RegisterFile,
} from './register/register.schemas.ts'
export {
  entityTypes,
  issuerFields,
  issuerStatuses,
  licenseTypes,
  registerFiles,
  sortableFields,
} from './register/register.schemas.ts'
export { relayErrors } from './relayer/relayer.errors.ts'
export type { RelayedStatus } from './relayer/relayer.schemas.ts'
export type { SnapshotMessage, StreamLevel, UpdateMessage } from './streams/book-messages.ts'
export { createBookReplica, ReplicaBroken } from './streams/book-replica.ts'
export { createLadder, type Ladder } from './streams/ladder.ts'
export type { AssetType, Framework, TokenWarning } from './tokens/import.schemas.ts'
export { assetTypes, frameworks, profileFields } from './tokens/import.schemas.ts'
export type { AcceptanceRecord, QuoteRecord, RfqRecord, RfqWithoutQuotesRecord } from './trading/rfq/rfq.schemas.ts'
export { submitErrors } from './trading/signed-orders.errors.ts'
export type { PlacedSignedOrderRecord } from './trading/signed-orders.schemas.ts'
export type { BookSnapshotRecord, BookUpdateRecord, FillRecord } from './trading/streams.schemas.ts'
export { newOrderErrors } from './trading/trading.errors.ts'
export type {
  AuctionRecord,
  CandleResolution,
  OrderBookRecord,
  OrderRecord,
  PlacedOrderRecord,
  TradeRecord,
} from './trading/trading.schemas.ts'
export {
  accessOperations,
  identityOperations,
  inboxOperations,
  registerOperations,
  relayerOperations,
  rfqOperations,
  sessionOperations,
  stocksOperations,
  ticketOperations,
  tokensOperations,
  tradingOperations,
  transactionOperations,
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const byPath = (a: Operation, b: Operation) =>
  a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1

/** Every endpoint of the product, feature by feature, in the order of their paths. */
export const operations: readonly Operation[] = [
  {
    ...accessOperations,
    ...sessionOperations,
    ...ticketOperations,
    ...transactionOperations,
    listInbox: inboxOperations.listInbox,
  },
  relayerOperations,
  tokensOperations,
  lendingOperations,
  stocksOperations,
  tradingOperations,
  rfqOperations,
  identityOperations,
  registerOperations,
].flatMap((feature) => Object.values<Operation>(feature).sort(byPath))

/** The error catalogue: every (operation, leg, code) that the interface promises. */
export function catalogue(): { operation: string; leg: string; code: string }[] {
  return operations.flatMap((operation) =>
    codesOf(operation).map(({ leg, code }) => ({ operation: operation.id, leg, code })),
  )
}
