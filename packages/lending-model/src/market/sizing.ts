import { lesser } from '../rules/arithmetic.ts'
import { claimForCollateralDown, closablePartUp, collateralForClaimUp, type Price, valueDown } from '../rules/health.ts'
import type { MarketConfig } from './state.ts'

export interface Subject {
  debt: bigint
  collateral: bigint
  isTerm: boolean
  termPenaltyBps: bigint
  liquidationPenaltyBps: bigint
  /** Up to which a debt is claimed whole: not worth several realizations. */
  smallDebt: bigint
  /** At which collateral counts for a claim: the oracle's, the auction floor, or a bid. */
  price: Price
  sizePrice: Price
}

export interface Size {
  claim: bigint
  taken: bigint
  penaltyBps: bigint
}

/** Past its term a loan is realized whole; unhealthy, up to the close factor. */
export function sizeSeizure(subject: Subject, config: MarketConfig): Size {
  // Nothing is left to claim on: the whole debt is a residual.
  if (subject.collateral === 0n) return { claim: 0n, taken: 0n, penaltyBps: 0n }
  if (subject.isTerm) return sizeTerm(subject)
  const isSmall = subject.debt <= subject.smallDebt
  return config.useDutchAuction ? sizeAuction(subject, config, isSmall) : sizeSale(subject, config, isSmall)
}

function sizeTerm({ debt, collateral, termPenaltyBps, sizePrice }: Subject): Size {
  const needed = collateralForClaimUp(debt, termPenaltyBps, sizePrice)
  return { claim: debt, taken: lesser(needed, collateral), penaltyBps: termPenaltyBps }
}

/** The close factor of debt and collateral alike, or everything when that collateral is worth less than that debt. */
function sizeAuction(subject: Subject, config: MarketConfig, isSmall: boolean): Size {
  const { debt, collateral, price, liquidationPenaltyBps: penaltyBps } = subject
  const claim = closablePartUp(debt, config.closeFactorBps)
  const taken = closablePartUp(collateral, config.closeFactorBps)
  if (isSmall || valueDown(taken, price) < claim) return { claim: debt, taken: collateral, penaltyBps }
  return { claim, taken, penaltyBps }
}

/** claim x (1 + penalty) / price, or a claim that all the collateral covers. */
function sizeSale(subject: Subject, config: MarketConfig, isSmall: boolean): Size {
  const { debt, collateral, sizePrice, liquidationPenaltyBps: penaltyBps } = subject
  const claim = isSmall ? debt : closablePartUp(debt, config.closeFactorBps)
  const needed = collateralForClaimUp(claim, penaltyBps, sizePrice)
  if (needed < collateral) return { claim, taken: needed, penaltyBps }
  const covered = claimForCollateralDown(collateral, penaltyBps, sizePrice)
  return { claim: lesser(claim, covered), taken: collateral, penaltyBps }
}
