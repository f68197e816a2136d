import * as governance from '../market/governance.ts'
import * as liquidity from '../market/liquidity.ts'
import * as loans from '../market/loans.ts'
import { updatePrice } from '../market/oracle.ts'
import * as router from '../market/router.ts'
import { liquidate } from '../market/seizure.ts'
import { countersignSale, handleLiquidationTimeout } from '../market/settlement.ts'
import type { Turn } from '../market/state.ts'
import * as venue from '../market/venue.ts'
import type { StepArguments, StepName, StepOf } from './steps.ts'

type Performances = { [Name in StepName]: (turn: Turn, args: StepArguments[Name]) => void }

const performances: Performances = {
  addLiquidity: (turn, { amount }) => liquidity.addLiquidity(turn, amount),
  removeLiquidity: (turn, { shares }) => liquidity.removeLiquidity(turn, shares),
  openLoan: (turn, { collateral, amount }) => loans.openLoan(turn, collateral, amount),
  borrowMore: (turn, { loanId, amount }) => loans.borrowMore(turn, loanId, amount),
  repay: (turn, { loanId, amount }) => loans.repay(turn, loanId, amount),
  closeLoan: (turn, { loanId }) => loans.closeLoan(turn, loanId),
  addCollateral: (turn, { loanId, amount }) => loans.addCollateral(turn, loanId, amount),
  withdrawCollateral: (turn, { loanId, amount }) => loans.withdrawCollateral(turn, loanId, amount),
  updatePrice: (turn, { price }) => updatePrice(turn, price),
  liquidate: (turn, { loanId }) => liquidate(turn, loanId),
  withdrawCollateralForSale: (turn, { id, amount }) => router.withdrawCollateralForSale(turn, id, amount),
  reportPartialSale: (turn, { id, proceeds }) => router.reportPartialSale(turn, id, proceeds),
  settleLiquidation: (turn, { id, finalProceeds }) => router.settleLiquidation(turn, id, finalProceeds),
  sellPending: (turn, { id }) => router.sellPending(turn, id),
  writeOffLiquidation: (turn, { id }) => router.writeOffLiquidation(turn, id),
  reopenLiquidation: (turn, { id }) => router.reopenLiquidation(turn, id),
  handleLiquidationTimeout: (turn, { id }) => handleLiquidationTimeout(turn, id),
  countersignSale: (turn, { id }) => countersignSale(turn, id),
  bidOnAuction: (turn, { id, quantity, maxCost }) => venue.bidOnAuction(turn, id, quantity, maxCost),
  settleExpiredAuction: (turn, { id }) => venue.settleExpiredAuction(turn, id),
  sweepInfrastructureFees: (turn) => liquidity.sweepInfrastructureFees(turn),
  sweepOperatorFees: (turn) => liquidity.sweepOperatorFees(turn),
  sweepProtocolFees: (turn) => liquidity.sweepProtocolFees(turn),
  sweepDistributorFees: (turn, { provider }) => liquidity.sweepDistributorFees(turn, provider),
  setRateMode: (turn, { offer }) => governance.setRateMode(turn, offer),
  syncRate: (turn) => governance.syncRate(turn),
  setConfig: (turn, { config }) => governance.setConfig(turn, config),
  setTermConfig: (turn, { terms }) => governance.setTermConfig(turn, terms),
  setReserveRatio: (turn, { ratioBps }) => governance.setReserveRatio(turn, ratioBps),
  pause: (turn) => governance.setPaused(turn, true),
  unpause: (turn) => governance.setPaused(turn, false),
  setOperatorFeeRecipient: (turn, { next }) => governance.setOperatorFeeRecipient(turn, next),
  topUpFund: (turn, { amount }) => governance.topUpFund(turn, amount),
  emergencyWithdraw: (turn, { amount }) => governance.emergencyWithdraw(turn, amount),
  setFundAuthorized: (turn, { isAuthorized }) => governance.setFundAuthorized(turn, isAuthorized),
  setAtomicMode: (turn, { isAtomic }) => router.setAtomicMode(turn, isAtomic),
  setSaleBid: (turn, { factorBps, validUntil }) => router.setSaleBid(turn, factorBps, validUntil),
}

/** A step on the model. */
export function perform<Name extends StepName>(turn: Turn, step: StepOf<Name>): void {
  performances[step.name](turn, step.args)
}
