import type { Abi, Address, Hex } from 'viem'
import type { UnsignedCall } from './simulate.ts'

/** A log as a receipt shows it. */
export interface ReceiptLog {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  /** Counted within the transaction, so that it stays the same when a reorg moves the transaction to another place. */
  readonly logIndex: number
}

/** What an event says happened, in values that JSON can hold. */
export type Effect = Readonly<Record<string, string | number | boolean | null>>

export interface Settled<E extends object> {
  readonly logIndex: number
  readonly effect: E
}

/**
 * The two halves of one write: what the wallet signs, and what its receipt must then show. Both are pure. Building, simulating,
 * confirming and following all go through the pair; nothing else encodes or decodes.
 */
export interface CallPair<Args, E extends object, Expected = Args> {
  /** Unique in the product; recordings and facts carry it. */
  readonly operation: string
  readonly abi: Abi
  readonly functionName: string
  prepare(target: Address, args: Args): UnsignedCall
  /** Every effect of this kind that `target` itself emitted. */
  settle(target: Address, logs: readonly ReceiptLog[]): Settled<E>[]
  /** Does a direct call with these decoded arguments concern the entity we expect? */
  isCallFor(args: readonly unknown[], expected: Expected): boolean
  /** Is this effect the one we expect? */
  isFor(effect: E, expected: Expected): boolean
}

/** A pair whose types are of no interest: the follower settles whatever a contract emits. */
export type AnyCallPair = Pick<CallPair<never, Effect, never>, 'operation' | 'abi' | 'settle'>

/** Which pairs each kind of watched contract can settle. */
export type CallKinds = Readonly<Record<string, readonly AnyCallPair[]>>
