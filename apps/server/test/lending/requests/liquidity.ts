/** Bodies of the right form, by operation. */
export const liquidityBodies: Record<string, Record<string, unknown>> = {}
