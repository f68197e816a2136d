import type { ConfirmedEffect } from '../../intents/index.ts'
import type { Effect } from '../../platform/chain/call-pair.ts'
import type { ContractRead } from '../../platform/chain/contract-read.ts'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import type { EncodedReason } from '../reason.rules.ts'
import type { Stock } from '../stocks.store.ts'
import type { SignerRule } from './signers.reads.ts'
import type { Expected, StockCall } from './stock-calls.call.ts'

/** What every body of a write may carry. */
export interface Signing {
  readonly txHash?: string
  readonly useRelayer?: boolean
}

/** A request, understood. */
export interface Asked {
  readonly args: readonly unknown[]
  /** What the relayer's answer says was asked for. */
  readonly done: object
  readonly reason?: EncodedReason
}

/** What the state of the token adds to a build. */
export interface Considered {
  readonly built: object
  readonly done: object
  /** The transactions that follow the first, for a write that may take several. */
  readonly following?: readonly {
    readonly call: UnsignedCall
    readonly functionName: string
    readonly description: string
  }[]
}

/** One write of a stock token: from a body to a call, and from its event to an answer. */
export interface StockWrite<B> {
  readonly pair: StockCall
  readonly signer: SignerRule
  /** Does less when it is given less gas, and wants this much in hand for each step. */
  readonly gasInHand?: bigint
  /** The event comes from the compliance module of the token, not from the token itself. */
  readonly byModule?: true
  ask(body: B, stock: Stock): Asked
  /** What a confirmation must show; only what the body names. */
  expect(body: B, stock: Stock): Expected
  tell(proof: ConfirmedEffect<Effect>, stock: Stock): object
  /** What the event alone does not say and the body does. False: it was another transaction. */
  isWhatWasAsked?(proof: ConfirmedEffect<Effect>, body: B, stock: Stock): boolean
  readonly state?: {
    questions(stock: Stock): readonly ContractRead<bigint>[]
    consider(answers: readonly bigint[], asked: Asked, stock: Stock): Considered
  }
}
