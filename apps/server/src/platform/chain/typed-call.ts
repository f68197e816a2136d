import {
  type Abi,
  type AbiEvent,
  type Address,
  type ContractEventArgsFromTopics,
  type ContractEventName,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeEventLog,
  encodeFunctionData,
  isAddress,
  toEventSelector,
} from 'viem'
import type { CallPair, ReceiptLog, Settled } from './call-pair.ts'
import { factName } from './event-facts.ts'

type Writing = 'nonpayable' | 'payable'
type ArgsOf<A extends Abi, F extends ContractFunctionName<A, Writing>> = ContractFunctionArgs<A, Writing, F>
type FieldsOf<A extends Abi, E extends ContractEventName<A>> = ContractEventArgsFromTopics<A, E>

/** A write whose arguments and effect have the types of the contract: arguments in another order, or a misspelt field, do not compile. */
export type TypedCall<Args, Fields extends object> = CallPair<Args, Fields, Partial<Fields>> & { readonly kind: string }

/** Addresses in the form in which the product keeps them. */
function lowered(value: unknown): unknown {
  if (typeof value === 'string') return isAddress(value, { strict: false }) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(lowered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lowered(inner)]))
}

function decoder<Fields extends object>(abi: Abi, eventName: string) {
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === eventName)
  if (!event) throw new Error(`no contract of this kind emits ${eventName}`)
  let selector: string | undefined
  return (target: Address, logs: readonly ReceiptLog[]): Settled<Fields>[] => {
    selector ??= toEventSelector(event)
    return logs.flatMap(({ address, topics, data, logIndex }) => {
      if (topics[0] !== selector || address.toLowerCase() !== target.toLowerCase()) return []
      try {
        const { args } = decodeEventLog({ abi: [event], data, topics: topics as [`0x${string}`] })
        return [{ logIndex, effect: lowered(args) as Fields }]
      } catch {
        // Indexed otherwise than ours: another event of the same name.
        return []
      }
    })
  }
}

/** A function of one contract that is proven by one event of the same contract. What is expected of the event is compared field by field. */
export function typedCall<
  const A extends Abi,
  F extends ContractFunctionName<A, Writing>,
  E extends ContractEventName<A>,
>(kind: string, abi: A, functionName: F, eventName: E): TypedCall<ArgsOf<A, F>, FieldsOf<A, E> & object> {
  type Fields = FieldsOf<A, E> & object
  return {
    kind,
    operation: factName(kind, eventName),
    abi,
    functionName,
    prepare: (to, args) => ({
      to,
      data: encodeFunctionData({ abi, functionName, args } as Parameters<typeof encodeFunctionData>[0]),
      value: 0n,
    }),
    settle: decoder<Fields>(abi, eventName),
    isCallFor: () => true,
    isFor: (effect, expected) =>
      Object.entries(expected).every(
        ([name, value]) => value === undefined || (effect as Record<string, unknown>)[name] === value,
      ),
  }
}
