import type { Address } from 'viem'
import type { Party } from '../market/state.ts'
import type { RateOffer } from '../rules/interest.ts'
import { type Addresses, addressOf } from './parties.ts'
import type { StepArguments, StepName, StepOf } from './steps.ts'
import type { ContractName } from './suite.ts'

export interface ContractCall {
  target: Party
  contract: ContractName
  functionName: string
  args: readonly unknown[]
}

type Calls = { [Name in StepName]: (args: StepArguments[Name], addresses: Addresses) => ContractCall }

const noSignedPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' }

function on(target: Party, contract: ContractName) {
  return (functionName: string, ...args: unknown[]): ContractCall => ({ target, contract, functionName, args })
}

const market = on('market', 'LendingMarket')
const router = on('router', 'LiquidationRouter')
const venue = on('venue', 'DutchAuctionVenue')
const fund = on('fund', 'InsuranceFund')
const oracle = on('oracle', 'SecurityPriceOracle')
const model = on('model', 'InterestRateModel')

function rateMode(offer: RateOffer): ContractCall {
  if (offer.mode === 'CURVE') return model('setRateMode', 0, 0n, 0n, 0n)
  if (offer.mode === 'CLAMPED') return model('setRateMode', 1, offer.floorBps, offer.capBps, 0n)
  return model('setRateMode', 2, 0n, 0n, offer.fixedBps)
}

const calls: Calls = {
  addLiquidity: ({ amount }) => market('addLiquidity', amount),
  removeLiquidity: ({ shares }) => market('removeLiquidity', shares),
  openLoan: ({ collateral, amount }) => market('openLoan', collateral, amount, noSignedPrice),
  borrowMore: ({ loanId, amount }) => market('borrowMore', loanId, amount, noSignedPrice),
  repay: ({ loanId, amount }) => market('repay', loanId, amount),
  closeLoan: ({ loanId }) => market('closeLoan', loanId),
  addCollateral: ({ loanId, amount }) => market('addCollateral', loanId, amount),
  withdrawCollateral: ({ loanId, amount }) => market('withdrawCollateral', loanId, amount, noSignedPrice),
  updatePrice: ({ price }) => oracle('updatePrice', price),
  liquidate: ({ loanId }) => market('liquidate', loanId, noSignedPrice),
  withdrawCollateralForSale: ({ id, amount }) => router('withdrawCollateralForSale', id, amount),
  reportPartialSale: ({ id, proceeds }) => router('reportPartialSale', id, 0n, proceeds),
  settleLiquidation: ({ id, finalProceeds }) => router('settleLiquidation', id, finalProceeds),
  sellPending: ({ id }) => router('sellPending', id),
  writeOffLiquidation: ({ id }) => router('writeOffLiquidation', id),
  reopenLiquidation: ({ id }) => router('reopenLiquidation', id),
  handleLiquidationTimeout: ({ id }) => market('handleLiquidationTimeout', id),
  countersignSale: ({ id }) => market('countersignSale', id),
  bidOnAuction: ({ id, quantity, maxCost }) => venue('bidOnAuction', id, quantity, maxCost),
  settleExpiredAuction: ({ id }) => venue('settleExpiredAuction', id),
  sweepInfrastructureFees: () => market('sweepInfrastructureFees'),
  sweepOperatorFees: () => market('sweepOperatorFees'),
  sweepProtocolFees: () => market('sweepProtocolFees'),
  sweepDistributorFees: ({ provider }, addresses) => market('sweepDistributorFees', addressOf(addresses, provider)),
  setRateMode: ({ offer }) => rateMode(offer),
  syncRate: () => market('syncRate'),
  setConfig: ({ config }) => market('setConfig', config),
  setTermConfig: ({ terms: { maxLoanDuration, gracePeriod, terminalDueAt, termPenaltyBps } }) =>
    market('setTermConfig', maxLoanDuration, gracePeriod, terminalDueAt, termPenaltyBps),
  setReserveRatio: ({ ratioBps }) => market('setReserveRatio', ratioBps),
  pause: () => market('pause'),
  unpause: () => market('unpause'),
  setOperatorFeeRecipient: ({ next }, addresses) => market('setOperatorFeeRecipient', addressOf(addresses, next)),
  topUpFund: ({ amount }) => fund('topUp', amount),
  emergencyWithdraw: ({ amount }, addresses) => fund('emergencyWithdraw', addressOf(addresses, 'admin'), amount),
  setFundAuthorized: ({ isAuthorized }, addresses) =>
    fund('setMarketAuthorized', addressOf(addresses, 'market'), isAuthorized),
  setAtomicMode: ({ isAtomic }) => router('setAtomicMode', isAtomic),
  setSaleBid: ({ factorBps, validUntil }) => router('setSaleBid', factorBps, validUntil),
}

/** A step on the contracts. */
export function callOf<Name extends StepName>(
  step: StepOf<Name>,
  addresses: Addresses,
): ContractCall & { to: Address } {
  const call = calls[step.name](step.args, addresses)
  return { ...call, to: addressOf(addresses, call.target) }
}
