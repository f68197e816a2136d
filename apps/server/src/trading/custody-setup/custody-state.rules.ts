import type { Address, Hex } from 'viem'
import type { AdmissionVerdict } from './token-rules.rules.ts'

/** What vault and tokens say about a pair. */
export interface VaultState {
  readonly admin: Address | null
  readonly base: AdmissionVerdict
  readonly quote: AdmissionVerdict
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  /** Of the base token, by its own word; null: it has none. */
  readonly isin: string | null
  readonly symbol: string | null
  readonly issuer: Address | null
  /** Null: the token keeps no list of contracts that may hold it. */
  readonly isAuthorized: boolean | null
}

/** What settlement contract and tokens say about a security. */
export interface SecurityState {
  /** Of the security at the settlement contract; null: not registered. */
  readonly admin: Address | null
  readonly isRegistered: boolean
  readonly isActive: boolean
  readonly isin: string | null
  readonly isinRaw: Hex
  readonly feeRecipient: Address | null
  readonly isQuoteAsset: boolean
  readonly isOperator: boolean
  /** 1 agent, 2 controller, 0 neither. */
  readonly scheme: number
  readonly owner: Address | null
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
}
