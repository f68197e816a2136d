import type { BookRow } from '../books/index.rules.ts'
import type { SecurityState, VaultState } from './custody-state.rules.ts'
import type { AdmissionVerdict } from './token-rules.rules.ts'

export interface Issue {
  readonly code: string
  readonly message: string
}

export const chainIssue: Issue = { code: 'CHAIN_UNAVAILABLE', message: 'The chain could not be read. Try again.' }
export const vaultIssue: Issue = {
  code: 'CUSTODY_SETUP_FAILED',
  message: 'The vault could not be read. Try again.',
}
export const wrongModeIssue: Issue = {
  code: 'WRONG_SETTLEMENT_MODE',
  message: 'The book settles off chain: it needs no custody contract.',
}

export const statusIssues = ({ status }: BookRow): Issue[] =>
  status === 'ACTIVE' ? [] : [{ code: 'ORDER_BOOK_INACTIVE', message: `The book is ${status}.` }]

function admissionIssues(code: string, verdict: AdmissionVerdict): Issue[] {
  if (verdict.state === 'ADMITTED') return []
  return [{ code, message: verdict.state === 'MISSING' ? 'The vault does not take it yet.' : `It ${verdict.why}.` }]
}

export function vaultIssues(row: BookRow, state: VaultState & { readonly isPaused: boolean }): Issue[] {
  const isUnauthorized = row.class === 'stocks' && state.isAuthorized === false
  return [
    ...admissionIssues('BASE_TOKEN_NOT_SUPPORTED', state.base),
    ...admissionIssues('QUOTE_TOKEN_NOT_SUPPORTED', state.quote),
    ...(isUnauthorized
      ? [{ code: 'CUSTODY_NOT_AUTHORIZED', message: 'The stock does not let the vault hold it for others.' }]
      : []),
    ...(state.isPaused
      ? [{ code: 'SETTLEMENT_PAUSED', message: 'The admin of the vault has paused settlement.' }]
      : []),
  ]
}

/** Every condition that fails, told in one line each. */
export function securityIssues(row: BookRow, state: SecurityState): Issue[] {
  const takesFees = row.makerFeeBps > 0 || row.takerFeeBps > 0
  const conditions: readonly [holds: boolean, code: string, message: string][] = [
    [state.isRegistered, 'SECURITY_NOT_REGISTERED', 'The security is not registered at the settlement contract.'],
    [!state.isRegistered || state.isActive, 'SECURITY_INACTIVE', 'The issuer has stopped the security.'],
    [
      !state.isRegistered || state.isin === row.underlyingIdentifier,
      'ISIN_MISMATCH',
      `The security is registered as ${state.isin}.`,
    ],
    [state.isQuoteAsset, 'QUOTE_TOKEN_NOT_SUPPORTED', 'The security is not paid for with the quote token.'],
    [state.scheme !== 0, 'CUSTODY_NOT_AUTHORIZED', 'The token does not let the settlement contract deliver it.'],
    [state.isOperator, 'SETTLEMENT_OPERATOR_UNAUTHORIZED', 'The operator of the book may not settle the security.'],
    [!takesFees || state.feeRecipient !== null, 'NO_FEE_RECIPIENT', 'The security has nobody who gets its fees.'],
  ]
  return conditions.flatMap(([holds, code, message]) => (holds ? [] : [{ code, message }]))
}
