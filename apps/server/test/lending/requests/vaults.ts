const ADDRESS = `0x${'5'.repeat(40)}`

/** Bodies of the right form, by operation. */
export const vaultsBodies: Record<string, Record<string, unknown>> = {
  setVaultLiquidity: { enabled: true },
  registerVault: { vaultAddress: ADDRESS },
  deregisterVault: { vaultAddress: ADDRESS },
  deployVault: { name: 'Plausible Vault', symbol: 'PLV', assetAddress: ADDRESS },
  setDrawCap: { marketId: '01890000-0000-7000-8000-00000000000b', cap: '1000' },
  removeVaultMarket: { marketAddress: ADDRESS },
  depositToVault: { amount: '1000', holderAddress: ADDRESS },
  redeemFromVault: { shares: '1000', holderAddress: ADDRESS },
  confirmVaultTransaction: { txHash: `0x${'7'.repeat(64)}`, txType: 'DEPOSIT' },
  collectDistributorFees: { marketAddress: ADDRESS },
  payDistributor: { distributor: ADDRESS },
  payOperatorFees: {},
}
