/** Bodies of the right form, by operation. */
export const auctionsBodies: Record<string, Record<string, unknown>> = {}
