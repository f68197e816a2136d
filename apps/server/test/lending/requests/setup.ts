/** Bodies of the right form, by operation. */
export const setupBodies: Record<string, Record<string, unknown>> = {
  configureMarket: { action: 'grantLiquidatorRole' },
  confirmConfiguration: { action: 'grantLiquidatorRole' },
  setConfig: {
    config: {
      collateralFactor: 7500,
      liquidationThreshold: 8500,
      liquidationPenalty: 500,
      protocolFeeRate: 0,
      minBorrowAmount: '100',
      closeFactor: 5000,
      maxTotalCollateral: '0',
      maxUserCollateral: '0',
      useDutchAuction: false,
      auctionDuration: 3600,
      auctionStartPremium: 13000,
      auctionMinPremium: 9500,
    },
  },
  pauseMarket: {},
  unpauseMarket: {},
}
