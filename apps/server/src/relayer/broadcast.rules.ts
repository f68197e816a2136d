/**
 * What a node made of a signed transaction. PASSED: its nonce is used already, by itself or by another. LATER: or for more. UNFUNDED:
 * the sender cannot pay. REFUSED: anything else, which waiting may not mend.
 */
export type BroadcastOutcome = 'TAKEN' | 'PASSED' | 'LATER' | 'UNFUNDED' | 'REFUSED'

/** Nodes tell their reasons in words only, each in its own. */
const meanings: readonly [RegExp, BroadcastOutcome][] = [
  [/already known|known transaction|already imported|already exists|already in (the )?(mempool|pool)/i, 'TAKEN'],
  [/nonce (is )?too low|old ?nonce|nonce has already been used|nonce below/i, 'PASSED'],
  [/underpriced|fee too low|fee cap less than|max fee per gas less than|less than block base fee/i, 'LATER'],
  [/pool is full|limit exceeded|too many (pending |queued )?transactions/i, 'LATER'],
  [/insufficient funds|insufficient balance|not enough funds/i, 'UNFUNDED'],
]

export function meaningOf(fault: string): BroadcastOutcome {
  return meanings.find(([words]) => words.test(fault))?.[1] ?? 'REFUSED'
}
