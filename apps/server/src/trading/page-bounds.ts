/** Rows of a list when nobody says how many, and at most. */
export const PAGE = { fallback: 50, most: 100 } as const
