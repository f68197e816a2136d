/** Bodies of the right form, by operation. */
export const repaymentBodies: Record<string, Record<string, unknown>> = {}
