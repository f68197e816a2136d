import { formatUnits } from '../../platform/amounts.rules.ts'
import { requirePositive } from '../../platform/values/amounts.ts'
import { encodeReason, type StockRecord } from '../records/index.rules.ts'
import { asAddress, ifGiven } from '../records/index.ts'

/** An integer of the smallest unit, as people write shares. */
export const shares = (raw: bigint, { decimals }: Pick<StockRecord, 'decimals'>): string => formatUnits(raw, decimals)

/** The same fields as events put them, where a body names them. */
export const expectedAmount = (text: string | undefined, { decimals }: StockRecord) =>
  ifGiven(text, (given) => requirePositive('amount', given, decimals))
export const expectedAddress = (field: string, text: string | undefined) =>
  ifGiven(text, (given) => asAddress(field, given))
export const expectedReason = (text: string | undefined) => ifGiven(text, (given) => encodeReason(given).bytes32)
