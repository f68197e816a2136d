import { bps, divideDown, divideUp } from './arithmetic.ts'
import type { Price } from './health.ts'

export interface AuctionLine {
  oraclePrice: bigint
  startBps: bigint
  floorBps: bigint
  durationSeconds: bigint
}

/** P0 x start falls in a straight line to P0 x floor; from the end on it is the floor. */
export function auctionPriceUp(line: AuctionLine, elapsed: bigint): bigint {
  if (elapsed >= line.durationSeconds) return divideUp(line.oraclePrice * line.floorBps, bps)
  const fallen = (line.startBps - line.floorBps) * elapsed
  return divideUp(line.oraclePrice * (line.startBps * line.durationSeconds - fallen), bps * line.durationSeconds)
}

/** What the collateral is counted at when the auction may end at its floor. */
export function floorPriceDown(oraclePrice: bigint, floorBps: bigint): bigint {
  return divideDown(oraclePrice * floorBps, bps)
}

export function costUp(quantity: bigint, { price, scale }: Price): bigint {
  return divideUp(quantity * price, scale)
}
