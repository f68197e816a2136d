/** Bodies of the right form, by operation. */
export const positionsBodies: Record<string, Record<string, unknown>> = {}
