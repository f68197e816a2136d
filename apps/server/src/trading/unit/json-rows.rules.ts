/**
 * Rows as one JSON text, which PostgreSQL takes apart: one parameter however many there are. Amounts beyond 2^53 are bigints, and rare:
 * only then is every value looked at.
 */
export function asJson(rows: readonly object[]): string {
  try {
    return JSON.stringify(rows)
  } catch {
    return JSON.stringify(rows, (_name, value) => (typeof value === 'bigint' ? value.toString() : value))
  }
}
