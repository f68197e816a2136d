import { parseAbi } from 'viem'
import type { RevertTable } from '../../platform/chain/reverts.ts'

/**
 * How a security of the ERC-3643 kind, our own stocks among them, says no to what a market or its administrators ask. Tokens that say
 * it in plain words need no entry.
 */
export const collateralTokenErrors = parseAbi([
  'error TokenPaused()',
  'error WalletFrozen(address account)',
  'error FreeBalanceTooLow(address account, uint256 free, uint256 needed)',
  'error RecipientNotVerified(address account)',
  'error ComplianceRefused(address compliance, bytes32 rule)',
  'error TransferRestricted(uint8 code, string rule)',
  'error SplitUnderWay()',
  'error FrozenBalanceTooLow(address account, uint256 frozen, uint256 amount)',
  'error TooManyFreezers(address account, uint256 most)',
  'error ModuleNeedsMoreGas()',
  'error AlreadyGranted(bytes32 role, address account)',
  'error AuthorizationUnchanged(address account)',
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
  TransferRestricted: {
    code: 'TRANSFER_RESTRICTED',
    message: 'A rule of the collateral token forbids this transfer.',
  },
  SplitUnderWay: {
    code: 'SPLIT_UNDER_WAY',
    message: 'A split of the collateral token is under way: anyone can bring it to its end, then try again.',
  },
  FrozenBalanceTooLow: {
    code: 'COLLATERAL_MOVED',
    message: 'Less of the collateral is frozen for this market than was pledged.',
  },
  TooManyFreezers: {
    code: 'TOO_MANY_FREEZERS',
    message: 'As many agents as the collateral token allows have frozen shares of this wallet.',
  },
  ModuleNeedsMoreGas: { code: 'MORE_GAS_NEEDED', message: 'Send the transaction with more gas.' },
  AlreadyGranted: { code: 'ROLE_ALREADY_HELD', message: 'The collateral token has given this role already.' },
  AuthorizationUnchanged: {
    code: 'AUTHORIZATION_UNCHANGED',
    message: 'The contract stands on the list of the collateral token already.',
  },
}
