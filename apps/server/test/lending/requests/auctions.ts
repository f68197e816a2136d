/** Bodies of the right form, by operation. */
export const auctionsBodies: Record<string, Record<string, unknown>> = {
  bidOnAuction: { auctionId: 1, collateralAmount: '1' },
  settleExpiredAuction: { auctionId: 1 },
  deliverUnsold: { auctionId: '1' },
  wireAuctionModule: { moduleAddress: `0x${'5'.repeat(40)}` },
}
