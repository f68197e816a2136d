const ADDRESS = `0x${'5'.repeat(40)}`

/** Bodies of the right form, by operation. */
export const liquidityBodies: Record<string, Record<string, unknown>> = {
  addLiquidity: { amount: '1000', provider: ADDRESS },
  removeLiquidity: { shares: '1000', provider: ADDRESS },
}
