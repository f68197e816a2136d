import type { LoanTerms, MarketConfig, Party } from '../market/state.ts'
import type { RateOffer } from '../rules/interest.ts'

interface Empty {
  readonly [key: string]: never
}
interface OnLoan {
  loanId: bigint
}
interface OnRecord {
  id: bigint
}

/** What each kind of step says. */
export interface StepArguments {
  addLiquidity: { amount: bigint }
  removeLiquidity: { shares: bigint }
  openLoan: { collateral: bigint; amount: bigint }
  borrowMore: OnLoan & { amount: bigint }
  repay: OnLoan & { amount: bigint }
  closeLoan: OnLoan
  addCollateral: OnLoan & { amount: bigint }
  withdrawCollateral: OnLoan & { amount: bigint }
  updatePrice: { price: bigint }
  liquidate: OnLoan
  withdrawCollateralForSale: OnRecord & { amount: bigint }
  reportPartialSale: OnRecord & { proceeds: bigint }
  settleLiquidation: OnRecord & { finalProceeds: bigint }
  sellPending: OnRecord
  writeOffLiquidation: OnRecord
  reopenLiquidation: OnRecord
  handleLiquidationTimeout: OnRecord
  countersignSale: OnRecord
  bidOnAuction: OnRecord & { quantity: bigint; maxCost: bigint }
  settleExpiredAuction: OnRecord
  sweepInfrastructureFees: Empty
  sweepOperatorFees: Empty
  sweepProtocolFees: Empty
  sweepDistributorFees: { provider: Party }
  setRateMode: { offer: RateOffer }
  syncRate: Empty
  setConfig: { config: MarketConfig }
  setTermConfig: { terms: LoanTerms }
  setReserveRatio: { ratioBps: bigint }
  pause: Empty
  unpause: Empty
  setOperatorFeeRecipient: { next: Party }
  topUpFund: { amount: bigint }
  emergencyWithdraw: { amount: bigint }
  setFundAuthorized: { isAuthorized: boolean }
  setAtomicMode: { isAtomic: boolean }
  setSaleBid: { factorBps: bigint; validUntil: bigint }
}

export type StepName = keyof StepArguments

export interface StepOf<Name extends StepName> {
  name: Name
  caller: Party
  /** Since the step before. */
  seconds: bigint
  args: StepArguments[Name]
}

export type Step = { [Name in StepName]: StepOf<Name> }[StepName]
