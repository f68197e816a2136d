import { DECIMALS } from '../books/index.rules.ts'

/** Order book units in smallest units of a token: what is spoken for is never taken for less. */
export function chainAmountUp(units: bigint, decimals: number): bigint {
  const scale = 10n ** BigInt(DECIMALS)
  return (units * 10n ** BigInt(decimals) + scale - 1n) / scale
}

/** What a wallet can trade, in smallest units of the token. */
export interface Backing {
  readonly total: bigint
  readonly onChainAvailable: bigint
}

/** The figures of a balance. Nothing is below zero, however little the chain has left of what was reserved. */
export function asBalance({ total, onChainAvailable }: Backing, reserved: bigint) {
  const available = onChainAvailable > reserved ? onChainAvailable - reserved : 0n
  return {
    total: total.toString(),
    locked: (total - onChainAvailable).toString(),
    onChainAvailable: onChainAvailable.toString(),
    reserved: reserved.toString(),
    available: available.toString(),
  }
}
