/** Bodies of the right form, by operation. */
export const registersBodies: Record<string, Record<string, unknown>> = {}
