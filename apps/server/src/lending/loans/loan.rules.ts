import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'

const BPS = 10_000n
const WAD = 10n ** 18n
/** A flat fee is at most half a percent of what it is charged on. */
const FLAT_FEE_CAP_BPS = 50n

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Collateral, in smallest units, at a price per whole token. */
export const valueDown = (collateral: bigint, price: bigint, decimals: number): bigint =>
  (collateral * price) / 10n ** BigInt(decimals)

/** The most debt that collateral carries at a factor. */
export const capacityDown = (collateral: bigint, price: bigint, decimals: number, factorBps: bigint): bigint =>
  (valueDown(collateral, price, decimals) * factorBps) / BPS

/** 1e18 is the border: below it the loan can be realized. Null: no debt, so no health. */
export function healthFactorDown(
  collateral: bigint,
  price: bigint,
  decimals: number,
  thresholdBps: bigint,
  debt: bigint,
): bigint | null {
  if (debt === 0n) return null
  return (capacityDown(collateral, price, decimals, thresholdBps) * WAD) / debt
}

/** The fee on a draw, or on the payment that closes a loan. */
export const flatFeeDown = (flatFee: bigint, amount: bigint): bigint =>
  smaller(flatFee, (amount * FLAT_FEE_CAP_BPS) / BPS)

/** The fee inside a payment that closes nothing. */
export const feeInsidePaymentDown = (flatFee: bigint, payment: bigint): bigint =>
  smaller(flatFee, (payment * FLAT_FEE_CAP_BPS) / (BPS + FLAT_FEE_CAP_BPS))

export const loanStatuses = ['NONE', 'ACTIVE', 'IN_AUCTION', 'CLOSED'] as const

/** A loan as the market answers it. */
export interface LoanOnChain {
  readonly borrower: `0x${string}`
  readonly payee: `0x${string}`
  readonly status: number
  readonly principal: bigint
  readonly interest: bigint
  readonly collateral: bigint
  readonly rateBps: bigint
  readonly dueAt: bigint
  readonly effectiveDueAt: bigint
  readonly gracePeriod: bigint
  readonly termPenaltyBps: bigint
}

/** What the market answers about the terms of a loan: threshold and penalty. */
export type LoanTermsAnswer = readonly [bigint, bigint]

/** Below which threshold a loan is realized, and what that costs. */
export interface RealizationTerms {
  readonly liquidationThresholdBps: number
  readonly liquidationPenaltyBps: number
}

export const statusOf = ({ status }: LoanOnChain) => loanStatuses[status] ?? 'NONE'
export const isOpen = (loan: LoanOnChain): boolean => statusOf(loan) === 'ACTIVE' || statusOf(loan) === 'IN_AUCTION'
export const debtOf = ({ principal, interest }: LoanOnChain): bigint => principal + interest

/** When a loan is due by the chain's clock. Null: it has no maturity. */
export function termOf(loan: LoanOnChain, chainTime: number) {
  if (loan.dueAt === 0n) return null
  const graceEnd = loan.effectiveDueAt + loan.gracePeriod
  return {
    dueAt: Number(loan.dueAt),
    effectiveDueAt: Number(loan.effectiveDueAt),
    graceEnd: Number(graceEnd),
    enforceable: BigInt(chainTime) > graceEnd,
    termGracePeriod: Number(loan.gracePeriod),
    termPenaltyBps: Number(loan.termPenaltyBps),
  }
}

/** A health factor as answers show it: 1 is the border. */
export const shownHealth = (wad: bigint | null): string | null => (wad === null ? null : formatUnits(wad, 18))

export interface LoanAfter {
  readonly collateral: bigint
  readonly debt: bigint
  readonly price: bigint
  readonly collateralFactorBps: number
  readonly liquidationThresholdBps: number
}

/** What a loan looks like with other collateral or debt. Never a promise: interest runs on until it is mined. */
export function previewOf({ collateralDecimals, borrowDecimals }: Market, after: LoanAfter) {
  const { collateral, debt, price } = after
  const most = capacityDown(collateral, price, collateralDecimals, BigInt(after.collateralFactorBps))
  const health = healthFactorDown(collateral, price, collateralDecimals, BigInt(after.liquidationThresholdBps), debt)
  return {
    collateral: formatUnits(collateral, collateralDecimals),
    debt: formatUnits(debt, borrowDecimals),
    healthFactor: shownHealth(health),
    maxBorrow: formatUnits(most, borrowDecimals),
    availableToBorrow: formatUnits(most > debt ? most - debt : 0n, borrowDecimals),
    price: formatUnits(price, borrowDecimals),
  }
}
