/** Bodies of the right form, by operation. */
export const escrowBodies: Record<string, Record<string, unknown>> = {}
