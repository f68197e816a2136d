import { type Address, zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'

/** Nobody holds a role before there is a lender of record. */
export function requireOperator(operator: Address, refuse: Refuse<'MARKET_PENDING_CURATOR'>): void {
  if (operator === zeroAddress) throw refuse('MARKET_PENDING_CURATOR')
}
