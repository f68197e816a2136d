import { type Abi, type Address, encodeFunctionData } from 'viem'
import type { CallPair, Effect } from './call-pair.ts'
import { eventFactOf, factName } from './event-facts.ts'

interface ContractCall<Args, Expected> {
  /** The kind of contract that is called and that emits the event. */
  readonly kind: string
  readonly abi: Abi
  readonly functionName: string
  /** What the call must leave in its receipt. */
  readonly eventName: string
  args(args: Args): readonly unknown[]
  /** Does a direct call with these arguments concern the entity we expect? Default: the event decides. */
  isCallFor?(args: readonly unknown[], expected: Expected): boolean
  isFor(effect: Effect, expected: Expected): boolean
}

/** A write of one contract function that is proven by one event of the same contract. */
export function contractCall<Args, Expected>(call: ContractCall<Args, Expected>): CallPair<Args, Effect, Expected> {
  const { kind, abi, functionName, eventName } = call
  return {
    operation: factName(kind, eventName),
    abi,
    functionName,
    prepare: (to: Address, args) => ({
      to,
      data: encodeFunctionData({ abi, functionName, args: call.args(args) }),
      value: 0n,
    }),
    settle: eventFactOf(kind, abi, eventName).settle,
    isCallFor: (args, expected) => call.isCallFor?.(args, expected) ?? true,
    isFor: (effect, expected) => call.isFor(effect, expected),
  }
}
