import { formatUnits } from '../../platform/amounts.rules.ts'
import type { MarketSums } from './cashflows.store.ts'
import type { LoanSums } from './loan-cashflows.rules.ts'

type Figures = LoanSums['figures']

export interface Paid {
  readonly infrastructure: bigint
  readonly operator: bigint
  readonly distributor: bigint
  readonly toVaults: bigint
  readonly insurance: bigint
}

export interface Recipients {
  readonly infrastructure: string
  readonly operator: string | null
  readonly insuranceFund: string | null
}

export interface Counts {
  readonly realizationSplits: number
  readonly unitemisedSplits: number
}

/** The figures of a whole market, as numbers. */
export function marketFigures(sums: MarketSums): { figures: Figures; paid: Paid } {
  const figures: Figures = {
    infrastructureInterest: BigInt(sums.infrastructureInterest),
    operatorInterest: BigInt(sums.operatorInterest),
    distributorInterest: BigInt(sums.distributorInterest),
    unallocatedInterest: BigInt(sums.unallocatedInterest),
    insuranceInterest: BigInt(sums.insuranceInterest),
    providersInterest: BigInt(sums.providersInterest),
    infrastructureFees: BigInt(sums.infrastructureFees),
    operatorFees: BigInt(sums.operatorFees),
    distributorFees: BigInt(sums.distributorFees),
    unallocatedFees: BigInt(sums.unallocatedFees),
    repaidAdvances: BigInt(sums.repaidAdvances),
    interestRepaid: BigInt(sums.interestRepaid),
    interestRecovered: BigInt(sums.interestRecovered),
    openFees: BigInt(sums.openFees),
    repayFees: BigInt(sums.repayFees),
  }
  const paid = {
    infrastructure: BigInt(sums.infrastructurePaid),
    operator: BigInt(sums.operatorPaid),
    distributor: BigInt(sums.distributorPaid),
    toVaults: BigInt(sums.distributorPaidToVaults),
    insurance: BigInt(sums.insurancePaid),
  }
  return { figures, paid }
}

/** What each leg earned. */
export function accruedOf(figures: Figures) {
  const unallocated = figures.unallocatedInterest + figures.unallocatedFees
  return {
    infrastructure: figures.infrastructureInterest + figures.infrastructureFees,
    operator: figures.operatorInterest + figures.operatorFees + unallocated,
    distributors: figures.distributorInterest + figures.distributorFees,
    insuranceFund: figures.insuranceInterest + figures.repaidAdvances,
    unallocated,
  }
}

/** The five legs, and what they add up to. `paid` null: of one loan nobody can say what was paid. */
export function showLegs(figures: Figures, paid: Paid | null, to: Recipients, counts: Counts, decimals: number) {
  const amount = (raw: bigint) => ({ raw: raw.toString(), value: formatUnits(raw, decimals) })
  const accrued = accruedOf(figures)
  const settled = (earned: bigint, given: bigint | undefined) => ({
    accrued: amount(earned),
    paid: given === undefined ? null : amount(given),
    pending: given === undefined ? null : amount(earned - given),
  })
  const interest =
    figures.infrastructureInterest +
    figures.operatorInterest +
    figures.distributorInterest +
    figures.unallocatedInterest +
    figures.insuranceInterest +
    figures.providersInterest
  return {
    legs: {
      infrastructure: {
        recipient: to.infrastructure,
        fromInterest: amount(figures.infrastructureInterest),
        fromTransactionFees: amount(figures.infrastructureFees),
        ...settled(accrued.infrastructure, paid?.infrastructure),
      },
      operator: {
        recipient: to.operator,
        fromInterest: amount(figures.operatorInterest),
        fromTransactionFees: amount(figures.operatorFees),
        fromUnallocatedDistributorLeg: amount(accrued.unallocated),
        ...settled(accrued.operator, paid?.operator),
      },
      distributors: {
        fromInterest: amount(figures.distributorInterest),
        fromTransactionFees: amount(figures.distributorFees),
        paidToVaults: paid ? amount(paid.toVaults) : null,
        paidToOperatorWallet: paid ? amount(paid.distributor - paid.toVaults) : null,
        ...settled(accrued.distributors, paid?.distributor),
      },
      insuranceFund: {
        recipient: to.insuranceFund,
        fromInterest: amount(figures.insuranceInterest),
        fromRepaidAdvances: amount(figures.repaidAdvances),
        ...settled(accrued.insuranceFund, paid?.insurance),
      },
      liquidityProviders: {
        creditedFromSplits: amount(figures.providersInterest),
        interestRepaid: amount(figures.interestRepaid),
        interestRecovered: amount(figures.interestRecovered),
        unitemisedSplits: counts.unitemisedSplits,
      },
    },
    totals: {
      interestCollected: amount(interest),
      transactionFees: amount(figures.openFees + figures.repayFees),
      openFees: amount(figures.openFees),
      repayFees: amount(figures.repayFees),
      realizationSplits: counts.realizationSplits,
    },
  }
}

export interface Booked {
  readonly infrastructureFees: bigint
  readonly operatorFees: bigint
  readonly distributorFees: bigint
  readonly protocolFees: bigint
}

/** Holds what the events say against what the market itself has on its books at the same block. */
export function reconcile(figures: Figures, paid: Paid, booked: Booked) {
  const accrued = accruedOf(figures)
  const leg = (outstanding: bigint, expected: bigint) => ({
    outstandingRaw: outstanding.toString(),
    balanced: outstanding === expected,
  })
  return {
    infrastructure: leg(booked.infrastructureFees, accrued.infrastructure - paid.infrastructure),
    operator: leg(booked.operatorFees, accrued.operator - paid.operator),
    distributors: leg(booked.distributorFees, accrued.distributors - paid.distributor),
    insuranceFund: leg(booked.protocolFees, accrued.insuranceFund - paid.insurance),
  }
}

export interface RealizationFigures {
  readonly recovered: bigint
  readonly covered: bigint
  readonly principalRecovered: bigint
}

/** Do the splits of a loan add up to the interest that the chain says was collected on it? */
export function isLoanBalanced(sums: LoanSums, realizations: readonly RealizationFigures[]): boolean | null {
  if (sums.splitOnRepayment !== sums.figures.interestRepaid) return false
  if (sums.hasAppliedDebt) return null
  const recovered = realizations.reduce((sum, one) => sum + one.recovered + one.covered - one.principalRecovered, 0n)
  return recovered === sums.figures.interestRecovered
}
