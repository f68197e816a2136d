import type { CallKinds, Effect, ReceiptLog } from '../platform/chain/call-pair.ts'

export interface NamedEffect {
  readonly operation: string
  readonly effect: Effect
}

/** What one event of a contract of this kind means. */
export function effectsOf(kinds: CallKinds, kind: string | undefined, log: ReceiptLog): NamedEffect[] {
  return (kinds[kind ?? ''] ?? []).flatMap(({ operation, settle }) =>
    settle(log.address, [log]).map(({ effect }) => ({ operation, effect })),
  )
}
