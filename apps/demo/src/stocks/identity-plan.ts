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

export interface ClaimPlan {
  readonly person: Person
  readonly byHand: readonly string[]
  /** Fields that know their slot. */
  readonly byProof: readonly string[]
}

/** Whose slots are filled: some by hand, some by proofs that the ledger knows. */
export const borrowersClaims: ClaimPlan = {
  person: 'borrower',
  byHand: ['AML', 'TAX_RESIDENCY', 'PEP_CHECK'],
  /** ACCREDITATION and RESIDENCY. */
  byProof: ['investorType', 'country'],
}

/** To be revoked by whoever wants to see that: the keeper fills them, again and again. */
export const triedClaims: ClaimPlan = { person: 'lender', byHand: ['AML'], byProof: ['country'] }
