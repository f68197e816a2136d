import type { Address } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { Hindrance } from './delivery.rules.ts'
import type { Asked, Inquiry } from './inquiry.ts'
import type { SaltEra } from './salt-prefix.rules.ts'
import type { SignedOrder } from './signed-order.rules.ts'

/** A trade that might come about, in units of the chain. */
export interface PossibleTrade {
  readonly seller: Address
  readonly buyer: Address
  readonly quantity: bigint
  readonly quoteAmount: bigint
}

/** Where what backs the orders of a book lies, and who may settle there. Two kinds of contract answer the same questions. */
export interface Custody {
  /** Of the pair of the book, oldest first. */
  readonly eras: readonly SaltEra[]
  /** What a wallet has there to settle with, in smallest units. */
  askBacking(inquiry: Inquiry, trader: Address, token: Address): Asked<bigint>
  /** Why an order of this trader could never settle, whomever it meets. Opened with the block that answered. */
  askTrader(inquiry: Inquiry, order: SignedOrder, quoteAmount: bigint): (block: Block) => Hindrance | null
  /** Why these two cannot trade. What concerns the taker alone was asked before. */
  askPair(inquiry: Inquiry, trade: PossibleTrade, takerIsBuyer: boolean): (block: Block) => Hindrance | null
  /** A token that the contract does not take right now; also when its rules are others than were asked about. */
  askMarket(inquiry: Inquiry): Asked<'BASE' | 'QUOTE' | 'CHANGED' | null>
}
