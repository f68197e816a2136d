import type { Route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'
import { addUserRoute } from './add-user.route.ts'
import { approveBuiltTransactionRoute } from './approve-built-transaction.route.ts'
import { beginProviderSignInRoute } from './begin-provider-sign-in.route.ts'
import { challengeSignInRoute } from './challenge-sign-in.route.ts'
import { challengeWalletRoute } from './challenge-wallet.route.ts'
import { changeUserRoute } from './change-user.route.ts'
import { createKeyRoute } from './create-key.route.ts'
import { createStreamTicketRoute } from './create-stream-ticket.route.ts'
import { endSessionRoute } from './end-session.route.ts'
import { endSessionsRoute } from './end-sessions.route.ts'
import { getApprovalPolicyRoute } from './get-approval-policy.route.ts'
import { getBuiltTransactionRoute } from './get-built-transaction.route.ts'
import { getHealthRoute } from './get-health.route.ts'
import { getInstanceRoute } from './get-instance.route.ts'
import { getSessionRoute } from './get-session.route.ts'
import { listAuditRoute } from './list-audit.route.ts'
import { listBuiltTransactionsRoute } from './list-built-transactions.route.ts'
import { listKeyRequestsRoute } from './list-key-requests.route.ts'
import { listKeysRoute } from './list-keys.route.ts'
import { listSessionsRoute } from './list-sessions.route.ts'
import { listUsersRoute } from './list-users.route.ts'
import { listWalletsRoute } from './list-wallets.route.ts'
import { promoteWalletRoute } from './promote-wallet.route.ts'
import { registerWalletRoute } from './register-wallet.route.ts'
import { rejectBuiltTransactionRoute } from './reject-built-transaction.route.ts'
import { removeUserRoute } from './remove-user.route.ts'
import { removeWalletRoute } from './remove-wallet.route.ts'
import { reportBuiltTransactionRoute } from './report-built-transaction.route.ts'
import { revokeKeyRoute } from './revoke-key.route.ts'
import { rotateKeyRoute } from './rotate-key.route.ts'
import { searchRoute } from './search.route.ts'
import { setApprovalPolicyRoute } from './set-approval-policy.route.ts'
import { signInRoute } from './sign-in.route.ts'
import { signOutRoute } from './sign-out.route.ts'

export { createAccessService } from './access.service.ts'
export { listAllActs } from './audit.service.ts'
export { listUnfinished } from './built-transactions.store.ts'
export { startHousekeepingJob } from './housekeeping.job.ts'
export { createIdentityProvider, type IdentityProvider } from './identity-provider.ts'
export { createKeyCheck } from './key-check.service.ts'
export { createOperatorService, type OperatorService } from './operator.service.ts'
export type { SessionsService } from './sessions.service.ts'
export { listWallets } from './wallets.store.ts'

export const accessRoutes = (access: AccessService): Route[] => [
  getInstanceRoute(access),
  getHealthRoute(access),
  listKeysRoute(access),
  listKeyRequestsRoute(access),
  searchRoute(access),
  createKeyRoute(access),
  rotateKeyRoute(access),
  revokeKeyRoute(access),
  listWalletsRoute(access),
  challengeWalletRoute(access),
  registerWalletRoute(access),
  promoteWalletRoute(access),
  removeWalletRoute(access),
  listAuditRoute(access),
  listBuiltTransactionsRoute(access),
  getBuiltTransactionRoute(access),
  reportBuiltTransactionRoute(access),
  createStreamTicketRoute(access),
  approveBuiltTransactionRoute(access),
  rejectBuiltTransactionRoute(access),
  getApprovalPolicyRoute(access),
  setApprovalPolicyRoute(access),
  challengeSignInRoute(access),
  beginProviderSignInRoute(access),
  signInRoute(access),
  getSessionRoute(access),
  signOutRoute(access),
  listSessionsRoute(access),
  endSessionRoute(access),
  endSessionsRoute(access),
  listUsersRoute(access),
  addUserRoute(access),
  changeUserRoute(access),
  removeUserRoute(access),
]
