/** Bodies of the right form, by operation. */
export const auctionsBodies: Record<string, Record<string, unknown>> = {
  wireAuctionModule: { moduleAddress: `0x${'5'.repeat(40)}` },
}
