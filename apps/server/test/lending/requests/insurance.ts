const WALLET = `0x${'5'.repeat(40)}`

/** Bodies of the right form, by operation. */
export const insuranceBodies: Record<string, Record<string, unknown>> = {
  topUpInsurance: { amount: '100', fromAddress: WALLET },
  recordTopUp: { txHash: `0x${'7'.repeat(64)}`, amount: '100', fromAddress: WALLET },
  withdrawInsurance: { amount: '100', recipient: WALLET },
}
