/** Bodies of the right form, by operation. */
export const liquidationsBodies: Record<string, Record<string, unknown>> = {
  liquidateLoan: {},
}
