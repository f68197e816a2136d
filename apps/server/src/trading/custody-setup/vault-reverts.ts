import { stockTokenAbi, vaultModuleAbi } from '@tallystick/abi'
import { explainReverts, type RevertTable } from '../../platform/chain/reverts.ts'
import { abis } from '../contracts.ts'

/** Why a vault refuses what a trader asks of it. */
const table: RevertTable = {
  ZeroAmount: { code: 'AMOUNT_IS_ZERO', message: 'The amount must be above zero.' },
  DoesNotFit: { code: 'AMOUNT_TOO_LARGE', message: 'The amount is larger than the vault can count.' },
  FreeBalanceTooLow: { code: 'FREE_BALANCE_TOO_LOW', message: 'Less is free in the vault.' },
  CommittedTooLow: { code: 'COMMITTED_TOO_LOW', message: 'Less is committed in the vault.' },
  NothingRequested: { code: 'NOTHING_REQUESTED', message: 'Nothing was asked back.' },
  ReceivedOtherAmount: { code: 'TOKEN_KEEPS_A_FEE', message: 'The token brought another amount than was sent.' },
  SentOtherAmount: { code: 'TOKEN_KEEPS_A_FEE', message: 'The token sent another amount than it was asked to.' },
  SafeERC20FailedOperation: { code: 'TOKEN_REFUSED', message: 'The token refused to move.' },
  TokenNotSupported: { code: 'TOKEN_NOT_SUPPORTED', message: 'The vault does not take this token.' },
  UserIsFrozen: { code: 'USER_FROZEN', message: 'The user is frozen in the vault.' },
  WithdrawalsArePaused: { code: 'WITHDRAWALS_PAUSED', message: 'Withdrawals are paused for a while.' },
  SplitUnreadable: { code: 'SPLIT_UNDER_WAY', message: 'The token is in the middle of a split.' },
  SplitNotCovered: { code: 'SPLIT_NOT_COVERED', message: 'After a split the vault holds nothing of the token.' },
  ERC20InsufficientAllowance: { code: 'ALLOWANCE_TOO_LOW', message: 'The vault may not take that much.' },
  ERC20InsufficientBalance: { code: 'INSUFFICIENT_BALANCE', message: 'The wallet holds less.' },
  TransferRestricted: { code: 'TRANSFER_RESTRICTED', message: 'A rule of the token refuses.' },
}

/** A token that refuses to move says so in its own words. */
export const explainVault = explainReverts([abis.tradingVault, vaultModuleAbi, stockTokenAbi], table)
