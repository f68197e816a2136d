/** A plausible body for each operation of the relayer that takes one. */
export const relayerBodies: Record<string, Record<string, unknown>> = {
  setRelayerLimits: { dailyTxLimit: 5, maxGasPerTx: '20000000000000000' },
}
