/** The most that one transaction may take. */
const MOST = 16_777_216n
/**
 * A batch goes on only while 5,000,000 are left for the next fill, above what it needs for its events and the 64th part that a call keeps
 * back.
 */
const IN_HAND = 5_300_000n

/** What the call took in a simulation, a quarter more, and what it wants in hand. Null: it was not simulated, or fails. */
export function gasLimitOf({
  success,
  gasUsed,
}: {
  readonly success: boolean
  readonly gasUsed: string | null
}): string | null {
  if (!success || gasUsed === null) return null
  const wanted = (BigInt(gasUsed) * 5n + 3n) / 4n + IN_HAND
  return (wanted < MOST ? wanted : MOST).toString()
}
