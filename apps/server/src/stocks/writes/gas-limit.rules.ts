/** The most that one transaction may take. */
const MOST = 16_777_216n

/** What a call took in a simulation, a quarter more, and what it wants in hand; null: it was not simulated, or fails. */
export function gasLimitFor(
  { success, gasUsed }: { readonly success: boolean; readonly gasUsed: string | null },
  inHand: bigint,
): bigint | null {
  if (!success || gasUsed === null) return null
  const wanted = (BigInt(gasUsed) * 5n + 3n) / 4n + inHand
  return wanted < MOST ? wanted : MOST
}
