const signed = { price: '100000000', timestamp: 1, validUntil: 2, signature: `0x${'1b'.repeat(65)}` }

/** Bodies of the right form, by operation. */
export const oracleBodies: Record<string, Record<string, unknown>> = {
  syncOracle: { price: '100' },
  signPrice: { price: '100' },
  verifyPrice: signed,
  recordPriceAttestation: signed,
}
