import type { BodyOf, stocksOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { encodeReason } from '../reason.rules.ts'
import { asAddress, asAmount, ifGiven } from '../request-fields.ts'
import type { StockRecord } from '../stocks.store.ts'

export type Body<O extends keyof typeof stocksOperations> = BodyOf<(typeof stocksOperations)[O]>

/** An integer of the smallest unit, as people write shares. */
export const shares = (raw: unknown, { decimals }: Pick<StockRecord, 'decimals'>): string =>
  formatUnits(BigInt(String(raw)), decimals)

/** The same fields as facts put them, where a body names them. */
export const expectedAmount = (text: string | undefined, { decimals }: StockRecord) =>
  ifGiven(text, (given) => asAmount('amount', given, decimals).toString())
export const expectedAddress = (field: string, text: string | undefined) =>
  ifGiven(text, (given) => asAddress(field, given))
export const expectedReason = (text: string | undefined) => ifGiven(text, (given) => encodeReason(given).bytes32)
