import { GOLD } from '../gold.ts'

/** Borrow asset per share or note: at the birth of the markets, and after a fall that leaves some loans behind. */
export const birthPrice = '100'
export const fallenPrice = '80'

/** In the order of their numbers. At the fallen price and a threshold of 85 % a loan of 1,000 NORD is healthy up to 68,000. */
export interface LoanPlan {
  readonly label: 'dueSoon' | 'healthy' | 'liquidatable' | 'inAuction' | 'onRouter' | 'goldOnRouter'
  readonly collateralAmount: string
  readonly borrowAmount: string
}

export interface MarketPlan {
  readonly label: 'freeze' | 'custody' | 'stock-freeze' | 'gold'
  /** What is pledged. */
  readonly symbol: string
  /** Which edition of the interface deploys it. */
  readonly deployedAt: string
  readonly mode: 'FREEZE' | 'CUSTODY'
  readonly liquidity: string
  readonly config: Readonly<Record<string, unknown>>
  readonly hasVenue: boolean
  readonly loans: readonly LoanPlan[]
  /** Which of the loans is seized, if any. */
  readonly seized: 'inAuction' | 'onRouter' | 'goldOnRouter' | null
  /** It is as old as the chain, and has prices since then. */
  readonly isOld?: true
  /** Its terms of use let loans be extended. */
  readonly isExtensible?: true
}

const securities = { symbol: 'NORD', deployedAt: '/lending-external-securities-v2/api' }
const pledged = { collateralAmount: '1000' }
const common: readonly LoanPlan[] = [
  { label: 'dueSoon', collateralAmount: '500', borrowAmount: '12000' },
  { label: 'healthy', ...pledged, borrowAmount: '30000' },
  { label: 'liquidatable', ...pledged, borrowAmount: '72000' },
]

export const marketPlans: readonly MarketPlan[] = [
  {
    label: 'freeze',
    ...securities,
    mode: 'FREEZE',
    liquidity: '250000',
    hasVenue: true,
    // A day per auction, a tenth of the loan at a time: an auction that ends can be opened again for weeks.
    config: { useDutchAuction: true, auctionDuration: 86_400, closeFactor: 1_000 },
    loans: [...common, { label: 'inAuction', ...pledged, borrowAmount: '74000' }],
    seized: 'inAuction',
    isExtensible: true,
  },
  {
    label: 'custody',
    ...securities,
    mode: 'CUSTODY',
    liquidity: '250000',
    hasVenue: false,
    config: {},
    // Half of it is taken, and what stays is healthy again.
    loans: [...common, { label: 'onRouter', ...pledged, borrowAmount: '70000' }],
    seized: 'onRouter',
    isExtensible: true,
  },
  {
    label: 'stock-freeze',
    symbol: 'NWP',
    deployedAt: '/lending-stocks/api',
    mode: 'FREEZE',
    liquidity: '100000',
    hasVenue: false,
    config: {},
    loans: [{ label: 'healthy', ...pledged, borrowAmount: '30000' }],
    seized: null,
    isOld: true,
  },
  {
    label: 'gold',
    ...securities,
    symbol: GOLD,
    mode: 'CUSTODY',
    liquidity: '100000',
    hasVenue: false,
    config: {},
    // Its router counts from one as well: a number alone does not say which liquidation is meant.
    loans: [{ label: 'goldOnRouter', ...pledged, borrowAmount: '70000' }],
    seized: 'goldOnRouter',
  },
]

/** A market that nobody has adopted. */
export const seekingPlan = {
  ...{ ...securities, symbol: 'ALPN' },
  label: 'seeking',
  mode: 'CUSTODY',
  price: '250',
} as const

/** A market of the first generation, to be upgraded by whoever wants to see that: the keeper makes another one. Borrowed is gold. */
export const earlierPlan = {
  ...securities,
  label: 'earlier',
  mode: 'CUSTODY',
  price: '1.2',
} as const

/** A loan that is due soon falls due within a day, all others in a quarter. */
export const shortTermDays = 1
export const usualTermDays = 90

/** Such a loan is the first of its market. */
export const startsDueSoon = ({ loans }: MarketPlan): boolean => loans[0]?.label === 'dueSoon'
