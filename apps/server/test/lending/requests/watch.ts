/** Bodies of the right form, by operation. */
export const watchBodies: Record<string, Record<string, unknown>> = {}
