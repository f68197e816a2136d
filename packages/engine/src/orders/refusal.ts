import type { RefusalDetails } from '../events.ts'
import type { RefusalCode } from '../terms.ts'

/** Why a command does nothing. */
export interface Refusal {
  readonly code: RefusalCode
  readonly details: RefusalDetails | null
}

export const refuse = (code: RefusalCode, details: RefusalDetails | null = null): Refusal => ({ code, details })
