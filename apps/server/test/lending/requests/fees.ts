/** Bodies of the right form, by operation. */
export const feesBodies: Record<string, Record<string, unknown>> = {
  sweepInfrastructureFees: {},
  sweepOperatorFees: {},
  sweepProtocolFees: {},
  sweepDistributorFees: { provider: `0x${'5'.repeat(40)}` },
}
