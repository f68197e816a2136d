import { formatUnits } from '../../platform/amounts.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { FLAT_FEE_CAP_BPS, feeLegs } from './fee-split.rules.ts'
import { type FeeState, feeState, feeStateReads } from './fee-state.reads.ts'

function transactionFees({ flatFees }: FeeState, decimals: number) {
  if (!flatFees) return null
  const { open, repay } = flatFees
  return {
    openFeeRaw: open.toString(),
    repayFeeRaw: repay.toString(),
    openFee: formatUnits(open, decimals),
    repayFee: formatUnits(repay, decimals),
    capBps: FLAT_FEE_CAP_BPS,
    enabled: open > 0n || repay > 0n,
    shares: { operatorBps: 800 as const, distributorBps: 500 as const, infrastructureBps: 8700 as const },
  } as const
}

/** Who gets what of interest and flat fees. */
export function createFeeSplit({ chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const { block, results } = await chains.get(market.chainId).read(feeStateReads(market.address))
      const state = feeState(results)
      const recipients = {
        infrastructure: state.platformWallet,
        operator: state.operator,
        insuranceFund: state.fund,
      }
      // A market that answers nothing is not thereby of the current generation.
      const answered = state.isAdopted !== null
      const hasOffered = state.offeredShareBps !== null
      const hasVaults = state.vaults === null ? null : state.vaults.length > 0
      const data = {
        readFailed: state.readFailed,
        marketAddress: market.address,
        generation: answered ? (hasOffered ? ('OFFERED_SHARE' as const) : ('FIXED_SHARES' as const)) : null,
        fixedShares: answered ? !hasOffered : null,
        basis: 'REPAID_INTEREST' as const,
        legs: feeLegs(state.offeredShareBps, state.insuranceBps, recipients),
        operatorWallet: state.operator,
        seekingCurator: state.isAdopted === null ? null : !state.isAdopted,
        distributorRecipients:
          hasVaults === null ? null : hasVaults ? ('VAULT_DISTRIBUTORS' as const) : ('NONE' as const),
        transactionFees: transactionFees(state, market.borrowDecimals),
        asset: { address: market.borrowAsset, symbol: market.borrowSymbol, decimals: market.borrowDecimals },
      }
      return { data, block }
    },
  }
}

export type FeeSplitService = ReturnType<typeof createFeeSplit>
