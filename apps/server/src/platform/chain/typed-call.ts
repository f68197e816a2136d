import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  type AbiParameterToPrimitiveType,
  type Address,
  type ContractEventArgsFromTopics,
  type ContractEventName,
  type ContractFunctionName,
  decodeEventLog,
  encodeFunctionData,
  isAddress,
  toEventSelector,
} from 'viem'
import type { CallPair, ReceiptLog, Settled } from './call-pair.ts'
import { factName } from './event-facts.ts'

type Writing = 'nonpayable' | 'payable'
type FunctionOf<A extends Abi, F extends string> = Extract<A[number], { readonly type: 'function'; readonly name: F }>
/** The arguments of a function by their names, and of one that has several forms those of any of them. */
type NamedInputs<Function> = Function extends { readonly inputs: infer Inputs extends readonly AbiParameter[] }
  ? { readonly [Input in Inputs[number] as Input['name'] & string]: AbiParameterToPrimitiveType<Input, 'inputs'> }
  : never
type ArgsOf<A extends Abi, F extends ContractFunctionName<A, Writing>> = NamedInputs<FunctionOf<A, F>>
type FieldsOf<A extends Abi, E extends ContractEventName<A>> = ContractEventArgsFromTopics<A, E>

/** A write whose arguments and effect have the names and types of the contract: a misspelt one, or one of another type, does not compile. */
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

/** Every event of one name that a contract emitted in a transaction. */
export const eventsOf = <const A extends Abi, E extends ContractEventName<A>>(abi: A, eventName: E) =>
  decoder<FieldsOf<A, E> & object>(abi, eventName)

/** By name there is no order to get wrong; the names also tell which form of an overloaded function is meant. */
function encoder(abi: Abi, functionName: string) {
  const forms = abi.filter((item): item is AbiFunction => item.type === 'function' && item.name === functionName)
  return (args: Readonly<Record<string, unknown>>) => {
    const names = Object.keys(args)
    const form = forms.find(
      ({ inputs }) => inputs.length === names.length && inputs.every(({ name }) => name !== undefined && name in args),
    )
    if (!form) throw new Error(`${functionName} does not take ${names.join(', ')}`)
    return encodeFunctionData({ abi: [form], args: form.inputs.map(({ name }) => args[name ?? '']) })
  }
}

/** A function of one contract that is proven by one event of the same contract. What is expected of the event is compared field by field. */
export function typedCall<
  const A extends Abi,
  F extends ContractFunctionName<A, Writing>,
  E extends ContractEventName<A>,
>(kind: string, abi: A, functionName: F, eventName: E): TypedCall<ArgsOf<A, F>, FieldsOf<A, E> & object> {
  type Fields = FieldsOf<A, E> & object
  const encode = encoder(abi, functionName)
  return {
    kind,
    operation: factName(kind, eventName),
    abi,
    functionName,
    prepare: (to, args) => ({ to, data: encode(args as Readonly<Record<string, unknown>>), value: 0n }),
    settle: decoder<Fields>(abi, eventName),
    isCallFor: () => true,
    isFor: (effect, expected) =>
      Object.entries(expected).every(
        ([name, value]) => value === undefined || (effect as Record<string, unknown>)[name] === value,
      ),
  }
}
