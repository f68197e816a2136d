/** What one look found about one promise of one contract. */
export interface Verdict {
  readonly contract: string
  readonly invariant: string
  /** Null: it holds. Otherwise the figures that contradict it. */
  readonly broken: string | null
}

export interface MarketFigures {
  readonly market: string
  readonly pool: {
    readonly cash: bigint
    readonly heldProceeds: bigint
    readonly escrowedSurplus: bigint
    readonly infrastructureFees: bigint
    readonly operatorFees: bigint
    readonly distributorFees: bigint
    readonly protocolFees: bigint
    readonly totalAssets: bigint
    readonly totalBorrowed: bigint
    readonly totalCollateral: bigint
    readonly interestGross: bigint
    readonly carriedClaims: bigint
    readonly activeLoans: bigint
    readonly openAuctions: bigint
  }
  /** Of the borrow asset. */
  readonly cashHeld: bigint
  readonly sharesWorth: bigint
  readonly loans: readonly LoanFigures[]
  readonly realizations: readonly { readonly carried: bigint; readonly held: bigint }[]
  /** Null: collateral is frozen on its owners' accounts, the adapter holds none. */
  readonly escrow: bigint | null
  readonly router: PlaceFigures & { readonly proceedsHeld: bigint; readonly proceedsBooked: bigint }
  readonly venue: (PlaceFigures & { readonly openAuctions: bigint }) | null
}

export interface LoanFigures {
  readonly principal: bigint
  readonly interest: bigint
  readonly collateral: bigint
  readonly isClosed: boolean
  /** What the adapter says is locked for it. */
  readonly pledged: bigint
}

interface PlaceFigures {
  readonly held: bigint
  readonly booked: bigint
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Somebody may always send more than was asked for, so what is held may exceed what is booked, never the other way round. */
const covered = (held: bigint, booked: bigint): string | null =>
  held >= booked ? null : `${held} held, ${booked} booked`
const equal = (found: bigint, told: bigint): string | null => (found === told ? null : `${found} found, ${told} told`)
const first = (...faults: readonly (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null

export function judgeMarket(figures: MarketFigures): Verdict[] {
  const { market, pool, loans, realizations, escrow, router, venue } = figures
  const owned = [
    pool.cash,
    pool.heldProceeds,
    pool.escrowedSurplus,
    pool.infrastructureFees,
    pool.operatorFees,
    pool.distributorFees,
    pool.protocolFees,
  ]
  const open = loans.filter(({ isClosed }) => !isClosed)
  const judged: Record<string, string | null> = {
    'cash-covered': covered(figures.cashHeld, sum(owned)),
    'shares-within-assets': covered(pool.totalAssets, figures.sharesWorth),
    'principal-is-the-sum-of-loans': equal(sum(loans.map(({ principal }) => principal)), pool.totalBorrowed),
    'interest-is-owed-by-somebody': covered(sum(loans.map(({ interest }) => interest)), pool.interestGross),
    'collateral-is-the-sum-of-loans': equal(sum(loans.map(({ collateral }) => collateral)), pool.totalCollateral),
    'open-loans-counted': equal(BigInt(open.length), pool.activeLoans),
    'closed-loans-owe-nothing': equal(
      sum(loans.flatMap((loan) => (loan.isClosed ? [loan.principal, loan.interest, loan.collateral] : []))),
      0n,
    ),
    'every-pledge-is-locked': first(...loans.map(({ pledged, collateral }) => equal(pledged, collateral))),
    'claims-consumed-once': first(
      equal(sum(realizations.map(({ carried }) => carried)), pool.carriedClaims),
      equal(sum(realizations.map(({ held }) => held)), pool.heldProceeds),
    ),
    'router-covered': first(covered(router.held, router.booked), covered(router.proceedsHeld, router.proceedsBooked)),
    ...(escrow === null ? {} : { 'escrow-covered': covered(escrow, pool.totalCollateral) }),
    ...(venue === null
      ? {}
      : { 'venue-covered': first(covered(venue.held, venue.booked), equal(venue.openAuctions, pool.openAuctions)) }),
  }
  return Object.entries(judged).map(([invariant, broken]) => ({ contract: market, invariant, broken }))
}

export interface VaultFigures {
  readonly vault: string
  readonly token: string
  readonly held: bigint
  readonly booked: bigint
}

/** One promise per token: everybody can be paid out at once. */
export const judgeVault = ({ vault, token, held, booked }: VaultFigures): Verdict => ({
  contract: vault,
  invariant: `balances-covered ${token}`,
  broken: covered(held, booked),
})
