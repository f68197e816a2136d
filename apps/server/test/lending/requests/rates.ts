/** Bodies of the right form, by operation. */
export const ratesBodies: Record<string, Record<string, unknown>> = {}
