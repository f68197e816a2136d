import type { Address } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'

/** The fields that a request cannot do without; all that are missing are told at once. */
export function requireFields<B extends object, K extends keyof B & string>(
  body: B,
  ...names: readonly K[]
): { [N in K]: NonNullable<B[N]> } {
  const missing = names.filter((name) => body[name] === undefined)
  if (missing.length > 0)
    throw fieldError(
      'MISSING_FIELDS',
      missing.map((field) => ({ field, message: 'is required' })),
    )
  return body as unknown as { [N in K]: NonNullable<B[N]> }
}

const refuseField = (field: string, message: string) => fieldError('VALIDATION_ERROR', [{ field, message }])

/** An address of the right form, in any valid case. */
export function asAddress(field: string, text: string): Address {
  const address = parseAddress(text)
  if (!address) throw refuseField(field, 'has a wrong checksum')
  return address
}

/** What was given, understood; nothing for what was not. */
export function ifGiven<T, R>(value: T | undefined, understand: (value: T) => R): R | undefined {
  return value === undefined ? undefined : understand(value)
}

/** Both say who sends the transaction, and only one can. */
export function refuseRelayer({ useRelayer }: { readonly useRelayer?: boolean }): void {
  if (useRelayer)
    throw refuseField('useRelayer', 'cannot be given together with txHash: what has a hash was sent already')
}
