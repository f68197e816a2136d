/** Bodies of the right form, by operation. */
export const assetDataBodies: Record<string, Record<string, unknown>> = {}
