import type { Amount } from '../amounts.ts'
import type { Side } from '../terms.ts'

export type RfqStatus = 'PENDING' | 'QUOTED' | 'ACCEPTED' | 'CANCELLED' | 'EXPIRED'
export type QuoteStatus = 'ACTIVE' | 'ACCEPTED' | 'WITHDRAWN' | 'EXPIRED'

export interface Quote {
  readonly id: string
  readonly provider: string
  readonly price: Amount
  /** Milliseconds, like every moment here; never after the request's own end. */
  readonly validUntil: number
  readonly status: QuoteStatus
  readonly createdAt: number
  readonly updatedAt: number
}

/** A request for quote with all its quotes, oldest first. Every step gives a new one. */
export interface Rfq {
  readonly id: string
  readonly requester: string
  /** As the requester sees it. */
  readonly side: Side
  readonly baseAmount: Amount
  readonly status: RfqStatus
  readonly expiresAt: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly quotes: readonly Quote[]
}

export const isOpen = ({ status }: Rfq): boolean => status === 'PENDING' || status === 'QUOTED'
