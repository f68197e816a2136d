import type { LendingState, Party } from './state.ts'

/** What the contracts answer with a revert; the reason is the name of their error. */
export class Refused extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

export function demand(isMet: boolean, reason: string): asserts isMet {
  if (!isMet) throw new Refused(reason)
}

export function move(balances: Map<Party, bigint>, from: Party, to: Party, amount: bigint): void {
  const held = balances.get(from) ?? 0n
  demand(held >= amount, 'ERC20InsufficientBalance')
  balances.set(from, held - amount)
  balances.set(to, (balances.get(to) ?? 0n) + amount)
}

export interface Outcome {
  state: LendingState
  refusal: string | undefined
}

/** The state after the call, or the state before it and the reason of the refusal. */
export function attempt(state: LendingState, call: (draft: LendingState) => void): Outcome {
  const draft = structuredClone(state)
  try {
    call(draft)
    return { state: draft, refusal: undefined }
  } catch (error) {
    if (error instanceof Refused) return { state, refusal: error.reason }
    throw error
  }
}
