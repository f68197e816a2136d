/** Bodies of the right form, by operation. */
export const curatorBodies: Record<string, Record<string, unknown>> = {}
