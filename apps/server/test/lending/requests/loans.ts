/** Bodies of the right form, by operation. */
export const loansBodies: Record<string, Record<string, unknown>> = {}
