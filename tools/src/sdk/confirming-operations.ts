/**
 * Where a transaction is reported that was built by an operation without a confirming leg of its own. The answer itself names the
 * route; this only lets the client know the type of what that route answers.
 */
export const confirmingOperations: Readonly<Record<string, string>> = {
  acceptCuratorRole: 'confirmAcceptance',
  acknowledgeAssetData: 'confirmAcknowledgement',
  actOnExtension: 'confirmExtensionTransaction',
  attestAssetData: 'confirmAttestation',
  configureMarket: 'confirmConfiguration',
  depositToVault: 'confirmVaultTransaction',
  getSettlementCalldata: 'confirmSettlement',
  proposeExtension: 'confirmExtensionTransaction',
  redeemFromVault: 'confirmVaultTransaction',
  topUpInsurance: 'recordTopUp',
}
