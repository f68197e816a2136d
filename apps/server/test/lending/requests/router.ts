const WALLET = `0x${'5'.repeat(40)}`

/** Bodies of the right form, by operation. */
export const routerBodies: Record<string, Record<string, unknown>> = {
  withdrawCollateralForSale: { amount: '1' },
  reportPartialSale: { collateralSold: '1', usdcProceeds: '100' },
  settleLiquidation: { usdcProceeds: '100' },
  handleLiquidationTimeout: {},
  countersignSale: {},
  closeLiquidation: {},
  reopenLiquidation: {},
  sellPending: {},
  setAtomicMode: { mode: 1 },
  setSaleBid: { priceFactorBps: 9_800, validUntil: 4_000_000_000 },
  announceSaleRecipient: { recipientAddress: WALLET },
  rotateSaleRecipient: {},
}
