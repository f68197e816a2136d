import { bps } from '../rules/arithmetic.ts'
import type { Price } from '../rules/health.ts'
import { demand } from './refusal.ts'
import type { LendingState, Turn } from './state.ts'

const windowSeconds = 3_600n
const largestPrice = 2n ** 104n - 1n

export function storedPrice(state: LendingState): Price {
  return { price: state.oracle.price, scale: 10n ** state.collateralDecimals }
}

export function freshPrice(state: LendingState, now: bigint): Price {
  demand(now <= state.oracle.updatedAt + state.oracle.maxPriceAge, 'PriceStale')
  return storedPrice(state)
}

/** Within the deviation of the last price, and of the price that the current hour found. */
export function updatePrice({ state: { oracle }, now, caller }: Turn, price: bigint): void {
  demand(caller === 'signer' || caller === 'admin', 'NotSigner')
  demand(price > 0n && price <= largestPrice, 'InvalidPrice')
  demand(now > oracle.updatedAt, 'PriceNotNewer')
  demand(isWithin(price, oracle.price, oracle.maxDeviationBps), 'PriceDeviationTooLarge')
  if (now >= oracle.windowOpenedAt + windowSeconds) {
    oracle.windowPrice = oracle.price
    oracle.windowOpenedAt = now
  } else {
    demand(isWithin(price, oracle.windowPrice, oracle.maxDeviationBps), 'PriceWindowDeviationTooLarge')
  }
  oracle.price = price
  oracle.updatedAt = now
}

function isWithin(price: bigint, reference: bigint, deviationBps: bigint): boolean {
  const distance = price > reference ? price - reference : reference - price
  return distance * bps <= reference * deviationBps
}
