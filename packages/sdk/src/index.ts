export type * from './generated/operations.ts'
export { type BookReplica, createBookReplica, ReplicaBroken } from './generated/streams/book-replica.ts'
export type {
  Answered,
  AnswerOf,
  Bound,
  BuildMethod,
  FileAnswer,
  FileMethod,
  Method,
  RefusalOf,
  StreamMethod,
  TwoLegMethod,
} from './method.ts'
export type {
  Address,
  BuildShape,
  FieldFaults,
  Hex,
  Metadata,
  OperationSpec,
  Refusal,
  RequestShape,
  Scalar,
} from './operation.ts'
export { items, pages } from './paging.ts'
export type { RetryPolicy } from './retry.ts'
export { type SafeFile, safeFile } from './safe-file.ts'
export { type BuiltCalls, type CallToSign, callsOf } from './signing/built-calls.ts'
export { type SendOptions, sendAndWait, type UnsentCall } from './signing/send-and-wait.ts'
export { reportSent, type SignedAndConfirmed, type SignOptions, signAndConfirm } from './signing/sign-and-confirm.ts'
export { type OrderOptions, type PreparedOrder, type SignedOrder, signOrder } from './signing/sign-order.ts'
export { signSetup } from './signing/sign-setup.ts'
export { type SigningFault, TallySigningError } from './signing/signing-error.ts'
export { type WaitOptions, waitForReceipt } from './signing/wait-for-receipt.ts'
export type { Wallet } from './signing/wallet.ts'
export { type BookNews, type FollowOptions, followBook, followEvents } from './streams/follow.ts'
export type { OpenSocket, Socket } from './streams/read-socket.ts'
export { createTally, type Tally, type TallyOptions } from './tally.ts'
export { isRefusal, TallyConnectionError, TallyError, type TallyErrorOf } from './tally-error.ts'
export type { CallOptions } from './transport.ts'
export { type ReceivedWebhook, TallyWebhookError, verifyWebhook, type WebhookMessage } from './webhooks.ts'
