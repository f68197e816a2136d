/** Bodies of the right form, by operation. */
export const assetDataBodies: Record<string, Record<string, unknown>> = {
  confirmAttestation: { txHash: `0x${'7'.repeat(64)}` },
  acknowledgeAssetData: { contentHash: `0x${'8'.repeat(64)}` },
  confirmAcknowledgement: { txHash: `0x${'7'.repeat(64)}` },
}
