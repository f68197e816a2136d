/** Who trades: a customer of the issuer platform, and somebody who came with an instance of their own. */
export const traderNames = ['borrower', 'trader'] as const
export type TraderName = (typeof traderNames)[number]

type Side = 'BUY' | 'SELL'

/** An order so many basis points away from the price of its book. */
interface PlannedOrder {
  readonly by: TraderName
  readonly side: Side
  readonly bps: number
  /** Whole units. */
  readonly quantity: number
}

export interface BookPlan {
  readonly label: 'stock' | 'commodity' | 'external' | 'offchain'
  readonly class: 'stocks' | 'commodities' | 'external-securities'
  /** Where what is traded lies: in a vault, in the wallets, or in the ledger of the instance. */
  readonly custody: 'vault' | 'wallets' | 'ledger'
  /** What is traded, against `dEUR`. */
  readonly symbol: string
  readonly name: string
  /** In whole quote. */
  readonly price: number
  /** Whole units of base that each brings. */
  readonly brings: Readonly<Record<TraderName, number>>
}

export const bookPlans: readonly BookPlan[] = [
  {
    ...{ label: 'stock', class: 'stocks', custody: 'vault', symbol: 'NWP', name: 'Nordlicht Windpark AG', price: 100 },
    brings: { borrower: 3_000, trader: 500 },
  },
  {
    ...{ label: 'commodity', class: 'commodities', custody: 'vault', symbol: 'XAU', name: 'Gold, gram', price: 85 },
    brings: { borrower: 2_000, trader: 2_000 },
  },
  {
    ...{ label: 'external', class: 'external-securities', custody: 'wallets', symbol: 'NORD', price: 100 },
    name: 'Nordlicht Windpark 4.5% 2030',
    brings: { borrower: 0, trader: 0 },
  },
  {
    ...{
      label: 'offchain',
      class: 'stocks',
      custody: 'ledger',
      symbol: 'ALPS',
      name: 'Alpine Seilbahnen AG',
      price: 40,
    },
    brings: { borrower: 5_000, trader: 5_000 },
  },
]

/** Whole quote that each brings to a book, and the provider of quotes to the vault of stocks. */
export const cashPerBook = 100_000

/** What was traded before a newcomer comes. Each is taken by the other one, in full. */
export const tapePlan: readonly (PlannedOrder & { readonly isDoomed?: true })[] = [
  { by: 'trader', side: 'BUY', bps: -10, quantity: 8 },
  // Its maker ends it on chain before it is settled, so that it fails. Where nothing is settled later it is a trade like others.
  { by: 'trader', side: 'BUY', bps: -45, quantity: 5, isDoomed: true },
  { by: 'borrower', side: 'SELL', bps: 20, quantity: 12 },
  { by: 'borrower', side: 'SELL', bps: 35, quantity: 15 },
]

/** What rests, and is put back when it was taken or has expired. No two at one price. */
export const depthPlan: readonly PlannedOrder[] = [
  { by: 'borrower', side: 'SELL', bps: 50, quantity: 10 },
  { by: 'trader', side: 'SELL', bps: 100, quantity: 20 },
  { by: 'borrower', side: 'SELL', bps: 200, quantity: 40 },
  { by: 'trader', side: 'SELL', bps: 400, quantity: 80 },
  { by: 'trader', side: 'BUY', bps: -60, quantity: 10 },
  { by: 'borrower', side: 'BUY', bps: -110, quantity: 20 },
  { by: 'trader', side: 'BUY', bps: -210, quantity: 40 },
  { by: 'borrower', side: 'BUY', bps: -410, quantity: 80 },
]

/** The borrower asks what somebody would pay for shares; the issuer platform answers. */
export const rfqPlan = { label: 'shares', side: 'SELL', quantity: 50, quoteBps: -30 } as const

/** Order book units have six decimals. */
const UNIT = 1_000_000n
export const unitsOf = (whole: number): bigint => BigInt(whole) * UNIT
export const priceAt = ({ price }: BookPlan, bps: number): bigint => (unitsOf(price) * BigInt(10_000 + bps)) / 10_000n

export const otherSide = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')
export const otherTrader = (name: TraderName): TraderName => (name === 'trader' ? 'borrower' : 'trader')
