/** Bodies of the right form, by operation. */
export const feesBodies: Record<string, Record<string, unknown>> = {}
