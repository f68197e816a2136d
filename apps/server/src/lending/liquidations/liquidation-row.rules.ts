import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import type { Market } from '../core/index.rules.ts'
import type { Seizure } from './seizures.store.ts'

const OPEN = 1

/** What the market and the router say about one seizure now; null: unread. */
export interface LiveSeizure {
  readonly realization: { readonly status: number; readonly held: bigint; readonly principalOwed: bigint } | null
  readonly routed: {
    readonly token: Address
    readonly collateralAmount: bigint
    readonly collateralRemaining: bigint
    readonly debtOwed: bigint
    readonly proceedsCollected: bigint
    readonly borrower: Address
    readonly lendingMarket: Address
    readonly timestamp: bigint
    readonly settled: boolean
    readonly marketLiquidationId: bigint
  } | null
}

const instant = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()
/** Seized to the router, or handed to it later; which number it gave is told by an event of its own, maybe not taken down yet. */
const isRouted = ({ liquidationId, destination }: Seizure, { router }: Market) =>
  liquidationId !== null || destination === router

function pathOf(seizure: Seizure, market: Market) {
  if (seizure.collateral === '0') return null
  if (seizure.atomicSale) return 'ATOMIC' as const
  return isRouted(seizure, market) ? ('ROUTER' as const) : ('VENUE' as const)
}

/** The number on the router; while only the venue holds the collateral, a name made of the market's own number. */
function shownId(seizure: Seizure, market: Market): string | null {
  if (seizure.collateral === '0') return null
  return isRouted(seizure, market) ? seizure.liquidationId : `venue-${seizure.realizationId}`
}

export function liquidationRow(market: Market, marketId: string, seizure: Seizure, live: LiveSeizure) {
  const { borrowDecimals, collateralDecimals } = market
  const inCash = (raw: bigint | string) => formatUnits(BigInt(raw), borrowDecimals)
  const inCollateral = (raw: bigint | string) => formatUnits(BigInt(raw), collateralDecimals)
  const { realization, routed } = live
  const isClosed = seizure.settled !== null || seizure.writtenOff !== null || seizure.collateral === '0'
  return {
    id: seizure.id,
    liquidationId: shownId(seizure, market),
    marketLiquidationId: seizure.realizationId,
    marketId,
    marketAddress: market.address,
    loanId: seizure.loanId,
    borrower: seizure.borrower,
    tokenAddress: market.collateralToken,
    collateralAmount: inCollateral(seizure.collateral),
    debtOwed: inCash(seizure.claim),
    totalDebtAtSeizure: inCash(seizure.totalDebt),
    termRealization: seizure.isTerm,
    auctionId: seizure.auctionId,
    realization: pathOf(seizure, market),
    buyer: (seizure.atomicSale?.buyer as Address | undefined) ?? null,
    txHash: seizure.txHash,
    createdAt: instant(seizure.seizedAt),
    updatedAt: instant(seizure.updatedAt),
    usdcProceeds: seizure.settled?.proceeds === undefined ? null : inCash(seizure.settled.proceeds),
    settledTxHash: seizure.closedTx,
    settledAt: seizure.closedAt === null ? null : instant(seizure.closedAt),
    onChainData: routed && {
      routerAddress: market.router,
      token: lowered(routed.token),
      collateralAmount: inCollateral(routed.collateralAmount),
      collateralRemaining: inCollateral(routed.collateralRemaining),
      debtOwed: inCash(routed.debtOwed),
      proceedsCollected: inCash(routed.proceedsCollected),
      borrower: lowered(routed.borrower),
      lendingMarket: lowered(routed.lendingMarket),
      timestamp: Number(routed.timestamp),
      settled: routed.settled,
      marketLiquidationId: routed.marketLiquidationId.toString(),
    },
    proceedsHeld: realization && inCash(realization.held),
    proceedsForwarded: inCash(seizure.auctionCash),
    heldOnMarket: realization && realization.held > 0n,
    marketSettled: realization ? realization.status !== OPEN : isClosed,
    recordedByThisInstance: seizure.recorded,
  }
}

/** How a seizure ended. */
export function settledRow(market: Market, marketId: string, seizure: Seizure, live: LiveSeizure) {
  const inCash = (raw: bigint | string | undefined) => formatUnits(BigInt(raw ?? 0), market.borrowDecimals)
  const { liquidationId, collateral, settled, writtenOff, atSeizure } = seizure
  const { routed, realization } = live
  const canReopen = routed?.settled && routed.proceedsCollected === 0n && routed.collateralRemaining > 0n
  return {
    ...liquidationRow(market, marketId, seizure, live),
    status: seizure.status === 'WRITTEN_OFF' ? ('WRITTEN_OFF' as const) : ('SETTLED' as const),
    settledOn:
      collateral === '0' || !settled ? null : isRouted(seizure, market) ? ('router' as const) : ('venue' as const),
    routerAddress: market.router,
    routerSettled: routed?.settled ?? null,
    collateralRemaining: routed && formatUnits(routed.collateralRemaining, market.collateralDecimals),
    proceedsCollected: routed && inCash(routed.proceedsCollected),
    collateralStranded: routed && routed.collateralRemaining > 0n,
    ...(routed || !liquidationId ? { reopenable: canReopen === true } : {}),
    principalOwed: realization && inCash(realization.principalOwed),
    writtenOffAtSeizure: inCash(atSeizure?.amount),
    seizureReserveCovered: inCash(atSeizure?.covered),
    shortfall: settled ? inCash(settled.shortfall) : null,
    reserveCovered: inCash((settled ?? writtenOff)?.covered),
  }
}
