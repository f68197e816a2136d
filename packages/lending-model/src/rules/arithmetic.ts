export const bps = 10_000n
/** 100 % of rates, utilizations and health factors. */
export const wad = 10n ** 18n

/** For values that are never negative. */
export function divideDown(numerator: bigint, denominator: bigint): bigint {
  return numerator / denominator
}

export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

export function lesser(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

export function greater(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

/** 0 instead of a negative difference. */
export function lessAtLeastZero(minuend: bigint, subtrahend: bigint): bigint {
  return minuend > subtrahend ? minuend - subtrahend : 0n
}

export function sum(values: Iterable<bigint>): bigint {
  let total = 0n
  for (const value of values) total += value
  return total
}
