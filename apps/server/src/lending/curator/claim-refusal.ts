import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { decodeRevert } from '../../platform/chain/selectors.ts'
import { abis } from '../contracts.ts'

/** What stands between a claim and its adoption, from the revert that the simulation met. */
export function claimRefusal(reverted: Hex): AppError | 'ClaimNotCommitted' | null {
  if (reverted === '0x') return null
  try {
    const { errorName, args } = decodeRevert(abis.factory, reverted)
    if (errorName === 'ClaimNotCommitted') return errorName
    if (errorName === 'ClaimPending')
      return new AppError('CLAIM_PENDING', { extra: { details: { maturesAt: Number(args[0]) } } })
    if (errorName === 'ClaimExpired')
      return new AppError('CLAIM_EXPIRED', { extra: { details: { expiredAt: Number(args[0]) } } })
    return null
  } catch {
    return null
  }
}
