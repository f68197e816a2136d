/** Bodies of the right form, by operation. */
export const setupBodies: Record<string, Record<string, unknown>> = {}
