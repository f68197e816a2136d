const AMPLE = 1_500_000n
/** Before it tries a sale in the same transaction the market wants three million: too little must not look like no buyer. */
export const ATOMIC_IN_HAND = 3_600_000n
/** The market has to hold half a million when it asks the fund, whatever it used before; calls on the way keep a part back. */
const IN_HAND = 600_000n

/**
 * What to send the transaction with. The market insists on gas in hand before it asks its insurance fund, which a wallet's own
 * estimate can miss: what is not used is not paid.
 */
export function gasLimitOf(
  { success, gasUsed }: { readonly success: boolean; readonly gasUsed: string | null },
  inHand = IN_HAND,
): string {
  if (!success || gasUsed === null) return (inHand > AMPLE ? inHand : AMPLE).toString()
  return ((BigInt(gasUsed) * 3n + 1n) / 2n + inHand).toString()
}
