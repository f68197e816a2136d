import type { Person } from './stocks-stage.ts'

interface IdentityPlan {
  readonly person: Person
  readonly country: string
  readonly investorType: 'RETAIL' | 'PROFESSIONAL' | 'ELIGIBLE_COUNTERPARTY'
  readonly softExpiryDays?: number
  readonly hardExpiryDays?: number
}

/** Everybody who may hold shares. The outsider may not. */
export const identityPlans: readonly IdentityPlan[] = [
  { person: 'issuer', country: 'DEU', investorType: 'ELIGIBLE_COUNTERPARTY' },
  { person: 'lender', country: 'LUX', investorType: 'ELIGIBLE_COUNTERPARTY' },
  { person: 'borrower', country: 'DEU', investorType: 'PROFESSIONAL', softExpiryDays: 365, hardExpiryDays: 730 },
  // To be renewed within a day; it still counts after that.
  { person: 'trader', country: 'FRA', investorType: 'RETAIL', softExpiryDays: 1, hardExpiryDays: 365 },
  { person: 'frozenInvestor', country: 'AUT', investorType: 'RETAIL' },
  { person: 'formerInvestor', country: 'ITA', investorType: 'RETAIL' },
]

/** Whose slots are filled: some by hand, some by proofs that the ledger knows. */
export const claimPlan = {
  person: 'borrower',
  byHand: ['AML', 'TAX_RESIDENCY', 'PEP_CHECK'],
  /** Fields that know their slot: ACCREDITATION and RESIDENCY. */
  byProof: ['investorType', 'country'],
} as const
