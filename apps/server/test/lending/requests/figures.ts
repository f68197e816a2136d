/** Bodies of the right form, by operation. */
export const figuresBodies: Record<string, Record<string, unknown>> = {}
