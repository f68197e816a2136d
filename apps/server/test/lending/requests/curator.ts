const ADDRESS = `0x${'5'.repeat(40)}`

/** Bodies of the right form, by operation. */
export const curatorBodies: Record<string, Record<string, unknown>> = {
  nominateCurator: { candidate: ADDRESS },
  withdrawNomination: { candidate: ADDRESS },
  acceptCuratorRole: {
    admin: ADDRESS,
    issuer: ADDRESS,
    collateralAgent: ADDRESS,
    saleRecipient: ADDRESS,
    liquidationOperator: ADDRESS,
    oracleOwner: ADDRESS,
    priceSigner: ADDRESS,
    realizationMode: 'ISSUER_REDEMPTION',
  },
  confirmAcceptance: { txHash: `0x${'7'.repeat(64)}` },
  setOperatorWallet: { newRecipient: ADDRESS },
  setAccessRole: { role: 'MARKET_LIQUIDATOR', address: ADDRESS, action: 'grant' },
  setLiquidatorRole: { address: ADDRESS, action: 'grant' },
}
