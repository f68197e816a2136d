/** Bodies of the right form, by operation. */
export const upgradesBodies: Record<string, Record<string, unknown>> = { upgradeMarket: { target: 'market' } }
