const LOWEST_FLOOR_BPS = 9_500n
const HIGHEST_FLOOR_BPS = 10_000n

interface Bid {
  readonly factorBps: bigint
  readonly validUntil: bigint
}

/** The least that the router sells at. */
function bidFloor(auctionMinBps: number): bigint {
  const floor = BigInt(auctionMinBps)
  return floor < LOWEST_FLOOR_BPS ? LOWEST_FLOOR_BPS : floor > HIGHEST_FLOOR_BPS ? HIGHEST_FLOOR_BPS : floor
}

/** What is wrong with the standing bid; null: nothing. */
export function bidFault({ factorBps, validUntil }: Bid, auctionMinBps: number, chainTime: number) {
  if (factorBps === 0n) return 'NO_BID'
  if (BigInt(chainTime) > validUntil) return 'BID_EXPIRED'
  return factorBps < bidFloor(auctionMinBps) ? 'BID_BELOW_FLOOR' : null
}

/** Whether the buyer can pay; null: it can. */
export function purseFault(payment: bigint, allowance: bigint, balance: bigint) {
  if (allowance < payment) return 'ALLOWANCE_SHORT'
  return balance < payment ? 'BALANCE_SHORT' : null
}
