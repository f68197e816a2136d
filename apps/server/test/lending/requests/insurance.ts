/** Bodies of the right form, by operation. */
export const insuranceBodies: Record<string, Record<string, unknown>> = {}
