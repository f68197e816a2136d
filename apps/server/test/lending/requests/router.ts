/** Bodies of the right form, by operation. */
export const routerBodies: Record<string, Record<string, unknown>> = {}
