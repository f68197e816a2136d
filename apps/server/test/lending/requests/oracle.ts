/** Bodies of the right form, by operation. */
export const oracleBodies: Record<string, Record<string, unknown>> = {}
