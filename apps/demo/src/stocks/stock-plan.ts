import type { Person } from './stocks-stage.ts'

/** A stock of the issuer platform, and what is done with it, in this order. */
export interface StockPlan {
  readonly symbol: string
  readonly name: string
  readonly isin: string
  readonly decimals: number
  readonly metadataURI: string
  /** What the issuer publishes about it. */
  readonly profile: Readonly<Record<string, unknown>>
  readonly subIssuerCap: string | null
  /** Nothing leaves before, in unix seconds. */
  readonly lockup: { readonly holder: Person; readonly until: number } | null
  readonly issued: readonly { readonly holder: Person; readonly amount: string }[]
  readonly redeemed: { readonly holder: Person; readonly amount: string; readonly reason: string }
  readonly split: { readonly numerator: number; readonly denominator: number } | null
}

export const stockPlans: readonly StockPlan[] = [
  {
    symbol: 'NWP',
    name: 'Nordlicht Windpark AG',
    isin: 'DE000NWPAG00',
    decimals: 18,
    metadataURI: 'https://nordlicht.example/shares',
    profile: {
      issuerName: 'Nordlicht Windpark AG',
      jurisdiction: 'DE',
      sector: 'Renewable energy',
      isin: 'DE000NWPAG00',
      website: 'https://nordlicht.example',
    },
    subIssuerCap: '10000',
    // The end of 2030.
    lockup: { holder: 'lender', until: 1_924_991_999 },
    issued: [
      { holder: 'borrower', amount: '50000' },
      { holder: 'lender', amount: '10000' },
      { holder: 'trader', amount: '5000' },
      { holder: 'frozenInvestor', amount: '250' },
    ],
    redeemed: { holder: 'lender', amount: '500', reason: 'Share buyback 2026' },
    split: null,
  },
  {
    symbol: 'ALPS',
    name: 'Alpine Seilbahnen AG',
    isin: 'CH000ALPS000',
    decimals: 0,
    metadataURI: 'https://seilbahnen.example/shares',
    profile: {
      issuerName: 'Alpine Seilbahnen AG',
      jurisdiction: 'CH',
      sector: 'Transport',
      isin: 'CH000ALPS000',
      website: 'https://seilbahnen.example',
    },
    subIssuerCap: null,
    lockup: null,
    issued: [
      { holder: 'borrower', amount: '400' },
      { holder: 'lender', amount: '300' },
      { holder: 'trader', amount: '120' },
    ],
    redeemed: { holder: 'lender', amount: '20', reason: 'Share buyback 2026' },
    split: { numerator: 2, denominator: 1 },
  },
]

/** What others than the issuer do, last of all. */
export const lastWrites = {
  symbol: 'NWP',
  issued: { holder: 'trader', amount: '1000', reason: 'Placed by the sub-issuer' },
  frozen: { holder: 'trader', amount: '1500' },
} as const

/** To be removed by whoever wants to see that: the keeper appoints it, again and again. */
export const triedSubIssuer = { symbol: 'NWP', person: 'lender' } as const
