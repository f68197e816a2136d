import { fieldError } from '../../platform/app-error.ts'
import type { Market } from '../core/index.rules.ts'
import { requirePositive } from '../core/index.ts'

/** How much a caller wants to pay; null: everything. */
export type Wish = bigint | null

interface PaymentBody {
  readonly amount?: string
  readonly all?: boolean
}

/** Either an amount or everything. */
export function requestOf({ amount, all }: PaymentBody, { borrowDecimals }: Market): Wish {
  if (amount !== undefined && all)
    throw fieldError('VALIDATION_ERROR', [{ field: 'all', message: 'cannot stand beside amount' }])
  if (amount !== undefined) return requirePositive('amount', amount, borrowDecimals)
  if (all) return null
  throw fieldError('VALIDATION_ERROR', [{ field: 'amount', message: 'is required, unless all is true' }])
}
