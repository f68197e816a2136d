import { type Hex, keccak256, stringToBytes } from 'viem'
import { canonicalJsonOf } from '../../platform/canonical-json.rules.ts'

/** What makes one lot of a commodity as good as another. */
export interface CommodityClass {
  readonly symbol: string
  readonly fineness: string
  readonly unitBasis: string
  readonly backing: string
}

const UNITS: readonly string[] = ['GRAM', 'TROY_OUNCE']
const BACKINGS: readonly string[] = ['ALLOCATED_REDEEMABLE', 'UNALLOCATED_CASH_SETTLED']

/** The class that was published, whole; null: something is missing or unknown. */
export function wholeClass(published: Partial<CommodityClass>): CommodityClass | null {
  const { symbol, fineness, unitBasis, backing } = published
  if (!symbol || !fineness || !unitBasis || !backing) return null
  const isKnown =
    /^[0-9]{1,3}(\.[0-9]{1,2})?$/.test(fineness) && UNITS.includes(unitBasis) && BACKINGS.includes(backing)
  return isKnown ? { symbol, fineness, unitBasis, backing } : null
}

/** Equal for books that may pool their depth, and for no others. */
export function cfidOf(commodity: CommodityClass, market: { quoteToken: string; custodyContract: string }): Hex {
  return keccak256(stringToBytes(canonicalJsonOf({ ...commodity, ...market })))
}
