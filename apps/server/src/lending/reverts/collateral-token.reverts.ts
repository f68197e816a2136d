import { parseAbi } from 'viem'
import type { RevertTable } from '../../platform/chain/reverts.ts'

/** How a security of the ERC-3643 kind says no to a transfer. Tokens that say it in plain words need no entry. */
export const collateralTokenErrors = parseAbi([
  'error TokenPaused()',
  'error WalletFrozen(address account)',
  'error FreeBalanceTooLow(address account, uint256 free, uint256 needed)',
  'error RecipientNotVerified(address account)',
  'error ComplianceRefused(address compliance, bytes32 rule)',
])

/** The collateral token itself: a holder who lost a permission, or a transfer that a rule forbids. */
export const collateralTokenReverts: RevertTable = {
  TokenPaused: { code: 'TOKEN_PAUSED', message: 'The collateral token is paused.' },
  WalletFrozen: { code: 'WALLET_FROZEN', message: 'The agent of the collateral token has frozen this wallet.' },
  FreeBalanceTooLow: { code: 'INSUFFICIENT_FREE_COLLATERAL', message: 'The wallet has less that is not frozen.' },
  RecipientNotVerified: {
    code: 'HOLDER_NOT_VERIFIED',
    message: 'The register of the collateral token does not know this wallet as a holder.',
  },
  ComplianceRefused: {
    code: 'TRANSFER_RESTRICTED',
    message: 'A rule of the collateral token forbids this transfer.',
  },
}
