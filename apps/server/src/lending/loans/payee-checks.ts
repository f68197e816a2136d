import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Market } from '../core/index.rules.ts'
import type { DrawState } from './draw-state.ts'

/** Money paid to a part of the market would be lost. The market itself refuses only some of them. */
export function requireAllowedPayee(
  { address, collateralToken, borrowAsset, oracle, rateModel }: Market,
  { parts, vaults }: Pick<DrawState, 'parts' | 'vaults'>,
  payee: Address,
  refuse: Refuse<'PAY_TO_NOT_ALLOWED'>,
): void {
  const taken: [reason: string, contracts: readonly string[]][] = [
    ['MARKET', [address]],
    ['ROUTER', [parts.router]],
    ['ADAPTER', [parts.adapter]],
    ['AUCTION_MODULE', [parts.auctionModule]],
    ['INSURANCE_FUND', [parts.fund]],
    ['SETTLEMENT_TOKEN', [borrowAsset]],
    ['COLLATERAL_TOKEN', [collateralToken]],
    ['ORACLE', [oracle]],
    ['INTEREST_MODEL', [rateModel]],
    ['VAULT', vaults],
  ]
  const found = taken.find(([, contracts]) => contracts.some((one) => one.toLowerCase() === payee))
  if (found) throw refuse('PAY_TO_NOT_ALLOWED', { extra: { reason: found[0] } })
}
