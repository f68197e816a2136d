const BPS = 10_000

interface FloorTerms {
  readonly useDutchAuction: boolean
  readonly auctionMinBps: number
  readonly liquidationThresholdBps: number
}

/**
 * What an auction of a matured loan could leave open. The slice is sized so that the floor price pays claim and penalty; but a
 * loan may owe up to its threshold, and where the floor lies below that, the whole collateral may bring less than the claim.
 */
export function termFloorExposure(config: FloorTerms, termPenaltyBps: number) {
  const { useDutchAuction, auctionMinBps, liquidationThresholdBps } = config
  const missing = useDutchAuction ? Math.max(0, liquidationThresholdBps - auctionMinBps) : 0
  return {
    exposed: missing > 0,
    uncoveredBps: Math.ceil((missing * BPS) / liquidationThresholdBps),
    sliceSizedToFloor: true,
    floorGapBps: BPS - auctionMinBps,
    auctionMinPremiumBps: auctionMinBps,
    termPenaltyBps,
    useDutchAuction,
    reserveCoversFloorSales: true,
    reserveFloorSaleNote:
      'What a sale at the floor leaves open is drawn from the insurance fund, as far as its balance goes and while the fund authorizes the market.',
  }
}
