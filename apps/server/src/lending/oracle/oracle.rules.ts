import type { Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'

const BPS = 10_000n

/** A price with the signature under it, as the contracts take it. */
export interface SignedPrice {
  readonly price: bigint
  readonly timestamp: bigint
  readonly validUntil: bigint
  readonly signature: Hex
}

/** Does the step stay within what the oracle allows for one? All steps of an hour together have the same bound. */
export function isWithinDeviation(price: bigint, stored: bigint, maxDeviationBps: bigint): boolean {
  const distance = price > stored ? price - stored : stored - price
  return distance * BPS <= stored * maxDeviationBps
}

/** How old a price of `updatedAt` is, and whether lending still takes it. */
export function ageOf(updatedAt: bigint, maxPriceAge: bigint, chainTime: number) {
  const age = BigInt(chainTime) - updatedAt
  return { priceAge: Number(age > 0n ? age : 0n), isStale: age > maxPriceAge }
}

const field = (type: string) => (name: string) => ({ name, type })

/** What a signer signs: EIP-712, bound to one oracle on one chain. */
export function priceTypedData(
  { chainId, oracle }: Pick<Market, 'chainId' | 'oracle'>,
  signed: { readonly price: bigint; readonly timestamp: number; readonly validUntil: number },
) {
  return {
    domain: { name: 'SecurityPriceOracle' as const, version: '1' as const, chainId, verifyingContract: oracle },
    types: {
      EIP712Domain: [
        ...['name', 'version'].map(field('string')),
        field('uint256')('chainId'),
        field('address')('verifyingContract'),
      ],
      PriceUpdate: ['price', 'timestamp', 'validUntil'].map(field('uint256')),
    },
    primaryType: 'PriceUpdate' as const,
    message: {
      price: signed.price.toString(),
      timestamp: String(signed.timestamp),
      validUntil: String(signed.validUntil),
    },
  }
}

export const asPrice = (raw: bigint, { borrowDecimals }: Pick<Market, 'borrowDecimals'>): string =>
  formatUnits(raw, borrowDecimals)

export const asInstant = (seconds: bigint | number): string => new Date(Number(seconds) * 1000).toISOString()
