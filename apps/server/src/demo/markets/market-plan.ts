/** Borrow asset per NORD: at the birth of the markets, and after a fall that leaves some loans behind. */
export const birthPrice = '100'
export const fallenPrice = '80'

/** In the order of their numbers. At the fallen price and a threshold of 85 % a loan of 1,000 NORD is healthy up to 68,000. */
export interface LoanPlan {
  readonly label: 'dueSoon' | 'healthy' | 'liquidatable' | 'inAuction' | 'onRouter'
  readonly collateralAmount: string
  readonly borrowAmount: string
}

export interface MarketPlan {
  readonly label: 'freeze' | 'custody'
  readonly mode: 'FREEZE' | 'CUSTODY'
  readonly liquidity: string
  readonly config: Readonly<Record<string, unknown>>
  readonly hasVenue: boolean
  readonly loans: readonly LoanPlan[]
  /** Which of the loans is seized. */
  readonly seized: 'inAuction' | 'onRouter'
}

const pledged = { collateralAmount: '1000' }
const common: readonly LoanPlan[] = [
  { label: 'dueSoon', collateralAmount: '500', borrowAmount: '12000' },
  { label: 'healthy', ...pledged, borrowAmount: '30000' },
  { label: 'liquidatable', ...pledged, borrowAmount: '72000' },
]

export const marketPlans: readonly MarketPlan[] = [
  {
    label: 'freeze',
    mode: 'FREEZE',
    liquidity: '250000',
    hasVenue: true,
    // A day per auction, a tenth of the loan at a time: an auction that ends can be opened again for weeks.
    config: { useDutchAuction: true, auctionDuration: 86_400, closeFactor: 1_000 },
    loans: [...common, { label: 'inAuction', ...pledged, borrowAmount: '74000' }],
    seized: 'inAuction',
  },
  {
    label: 'custody',
    mode: 'CUSTODY',
    liquidity: '250000',
    hasVenue: false,
    config: {},
    // Half of it is taken, and what stays is healthy again.
    loans: [...common, { label: 'onRouter', ...pledged, borrowAmount: '70000' }],
    seized: 'onRouter',
  },
]

/** A market that nobody has adopted. */
export const seekingPlan = { label: 'seeking', mode: 'CUSTODY', symbol: 'ALPN', price: '250' } as const

/** The first loan of a market falls due within a day, all later ones in a quarter. */
export const firstTermDays = 1
export const laterTermDays = 90
