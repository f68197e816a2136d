import type { Address } from 'viem'
import { ageOf } from '../oracle/index.rules.ts'
import type { Admission } from '../setup/index.rules.ts'
import type { ReadinessState } from './readiness.reads.ts'

export interface ReadinessFindings {
  readonly router: Address
  readonly state: ReadinessState
  readonly routerAdmission: Admission & { readonly admitted: boolean }
  readonly venueAdmission: (Admission & { readonly admitted: boolean }) | null
  /** The registered wallet, and whether it may sell. */
  readonly operator: Address | null
  readonly isOperator: boolean
  /** Who would sign the seizure, and whether it may. */
  readonly signer: Address | null
  readonly isLiquidator: boolean
  readonly chainTime: number
}

/** Which gates between a loan and its cash are open. */
export function readinessOf(found: ReadinessFindings) {
  const { router, state, routerAdmission, venueAdmission, chainTime } = found
  const { isStale, priceAge } = ageOf(state.updatedAt, state.maxPriceAge, chainTime)
  const { useDutchAuction } = state.config
  const isConfigured = state.marketOnRouter && routerAdmission.admitted && found.isOperator
  const isOpen = useDutchAuction ? venueAdmission?.admitted === true : state.marketOnRouter && routerAdmission.admitted
  const seizureConfigured = isOpen && found.isLiquidator
  return {
    isConfigured,
    routerAuthorized: state.marketOnRouter,
    routerTokenEligible: routerAdmission.admitted,
    operatorRoleReady: found.isOperator,
    routerAddress: router,
    routerTokenRequirement: routerAdmission.requirement,
    operatorAddress: found.operator,
    liquidatorRoleReady: found.isLiquidator,
    signerAddress: found.signer,
    saleRecipient: state.saleRecipient,
    marketPaused: state.isPaused,
    dutchAuctionEnabled: useDutchAuction,
    auctionVenue: state.venue,
    auctionVenueAdmitted: venueAdmission?.admitted ?? null,
    auctionVenueRequirement: venueAdmission?.requirement ?? null,
    auctionVenueOnRouter: state.venueOnRouter,
    atomicMode: state.isAtomic,
    priceStale: isStale,
    priceAge,
    seizureConfigured,
    canSeizeNow: seizureConfigured && !isStale,
    canRealizeNow: isConfigured && !isStale,
  }
}
