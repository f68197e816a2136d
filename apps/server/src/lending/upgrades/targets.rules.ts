import type { LegCodeOf, lendingOperations } from '@tallystick/wire'
import { type Hex, stringToHex } from 'viem'

export type UpgradeTarget = 'market' | 'rateModel' | 'router' | 'insuranceFund'

/** Why an upgrade is not built. */
export type UpgradeRefusal = LegCodeOf<typeof lendingOperations.upgradeMarket, 'build'>

interface Capability {
  /** A constant view; the implementation itself, not the proxy, must answer it with true. */
  readonly view: string
  readonly missing: UpgradeRefusal
}

export interface TargetFacts {
  readonly kind: 'market' | 'rateModel' | 'router' | 'fund'
  /** How the factory calls the implementation. */
  readonly servedAs: Hex
  readonly requiredRole: string
  /** No such proxy is known. */
  readonly unresolved: UpgradeRefusal
  readonly stateUnavailable: UpgradeRefusal
  readonly failed: UpgradeRefusal
  readonly capabilities: readonly Capability[]
  readonly description: string
}

const served = (kind: UpgradeTarget) => stringToHex(kind, { size: 32 })

/** What differs between the four proxies of a market. */
export const targets: Readonly<Record<UpgradeTarget, TargetFacts>> = {
  market: {
    kind: 'market',
    servedAs: served('market'),
    requiredRole: 'DEFAULT_ADMIN_ROLE',
    unresolved: 'MARKET_STATE_UNAVAILABLE',
    stateUnavailable: 'MARKET_STATE_UNAVAILABLE',
    failed: 'MARKET_UPGRADE_FAILED',
    capabilities: [
      { view: 'isInstrumented', missing: 'TARGET_IMPL_NOT_INSTRUMENTED' },
      { view: 'stampsLoanTerms', missing: 'TARGET_IMPL_NOT_STAMPING' },
      {
        view: 'holdsVenueProceeds',
        missing: 'TARGET_IMPL_NOT_STAMPING',
      },
    ],
    description: 'Moves the market onto the implementation that the factory serves.',
  },
  rateModel: {
    kind: 'rateModel',
    servedAs: served('rateModel'),
    requiredRole: 'owner',
    unresolved: 'MODEL_UNRESOLVED',
    stateUnavailable: 'MODEL_STATE_UNAVAILABLE',
    failed: 'MODEL_UPGRADE_FAILED',
    capabilities: [{ view: 'hasFixedRateCeiling', missing: 'TARGET_IMPL_NOT_CEILINGED' }],
    description: 'Moves the rate model onto the implementation that the factory serves.',
  },
  router: {
    kind: 'router',
    servedAs: served('router'),
    requiredRole: 'DEFAULT_ADMIN_ROLE',
    unresolved: 'ROUTER_UNRESOLVED',
    stateUnavailable: 'ROUTER_UNRESOLVED',
    failed: 'ROUTER_UPGRADE_FAILED',
    capabilities: [{ view: 'hasSaleRecipientRotation', missing: 'TARGET_IMPL_NOT_ROTATABLE' }],
    description: 'Moves the liquidation router onto the implementation that the factory serves.',
  },
  insuranceFund: {
    kind: 'fund',
    servedAs: served('insuranceFund'),
    requiredRole: 'owner',
    unresolved: 'FUND_UNRESOLVED',
    stateUnavailable: 'FUND_STATE_UNAVAILABLE',
    failed: 'FUND_UPGRADE_FAILED',
    capabilities: [{ view: 'hasOpenTopUp', missing: 'TARGET_IMPL_NOT_TOPPABLE' }],
    description: 'Moves the insurance fund onto the implementation that the factory serves.',
  },
}

/** The slot in which a proxy keeps its implementation, by ERC-1967. */
export const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** The address in a storage word; null when the slot is empty or was not read. */
export function addressIn(word: Hex | null): Hex | null {
  if (word === null || BigInt(word) === 0n) return null
  return `0x${word.slice(-40).toLowerCase()}`
}
