/** Who stands in the way of a trade between two traders. */
export type Fault = 'SELLER' | 'BUYER' | 'PAIR' | 'TOKEN'

export interface Hindrance {
  readonly rule: string
  readonly fault: Fault
  /** Of the settlement contract, which counts its conditions. */
  readonly deliveryCode?: number
}

/** The conditions of the settlement contract, by their numbers. */
const conditions: readonly (readonly [rule: string, fault: Fault])[] = [
  ['NONE', 'PAIR'],
  ['SECURITY_NOT_REGISTERED', 'TOKEN'],
  ['SECURITY_NOT_ACTIVE', 'TOKEN'],
  ['BUYER_IS_ZERO', 'BUYER'],
  ['TOKEN_PAUSED', 'TOKEN'],
  ['SELLER_FROZEN', 'SELLER'],
  ['BUYER_FROZEN', 'BUYER'],
  ['NO_IDENTITY_REGISTRY', 'TOKEN'],
  ['IDENTITY_REGISTRY_SILENT', 'TOKEN'],
  ['BUYER_NOT_VERIFIED', 'BUYER'],
  ['SELLER_BALANCE_TOO_LOW', 'SELLER'],
  ['COMPLIANCE_SILENT', 'TOKEN'],
  ['COMPLIANCE_REFUSED', 'PAIR'],
  ['TOKEN_RULE_REFUSED', 'PAIR'],
  ['NO_DELIVERY_ROLE', 'TOKEN'],
]
const BALANCE_TOO_LOW = 10

/** What a code of `deliveryCheck` or `restingCheck` means; null: nothing stands in the way. */
export function hindranceOf(deliveryCode: number): Hindrance | null {
  if (deliveryCode === 0) return null
  const [rule, fault] = conditions[deliveryCode] ?? ['DELIVERY_REFUSED', 'PAIR']
  return { rule, fault, deliveryCode }
}

/** Shares that were there when the order came in, and are gone: no rule, and nobody else's order will be served by it either. */
export const isShareless = ({ deliveryCode }: Hindrance): boolean => deliveryCode === BALANCE_TOO_LOW
