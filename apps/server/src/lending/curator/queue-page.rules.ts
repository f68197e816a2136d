const DEFAULT_LIMIT = 25
const MAX_LIMIT = 100

const integer = (text: string | undefined): number | null =>
  text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : null

/** Missing, unreadable and zero mean the default; anything else is held within the range. */
export function pageOf({ limit, offset }: { limit?: string | undefined; offset?: string | undefined }) {
  const wished = integer(limit) || DEFAULT_LIMIT
  return { limit: Math.min(MAX_LIMIT, Math.max(1, wished)), offset: Math.max(0, integer(offset) ?? 0) }
}
