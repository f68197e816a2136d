/** Bodies of the right form, by operation. */
export const extensionsBodies: Record<string, Record<string, unknown>> = {}
