/** Bodies of the right form, by operation. */
export const vaultsBodies: Record<string, Record<string, unknown>> = {}
