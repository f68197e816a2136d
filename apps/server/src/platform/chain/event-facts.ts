import { type Abi, type AbiEvent, type Address, decodeEventLog, isAddress, toEventSelector } from 'viem'
import type { AnyCallPair, CallKinds, Effect, ReceiptLog, Settled } from './call-pair.ts'

type Scalar = string | number | boolean | null

/** Values that JSON can hold: integers as strings, addresses lowercased; the members of a struct stand beside the other arguments. */
function scalars(name: string, value: unknown): [string, Scalar][] {
  if (value === undefined) return []
  if (typeof value === 'bigint') return [[name, value.toString()]]
  if (typeof value === 'string')
    return [[name, isAddress(value, { strict: false }) ? value.toLowerCase() : storable(value)]]
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]]
  if (Array.isArray(value)) return [[name, value.map(String).join(',')]]
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([member, inner]) => scalars(member, inner))
  return [[name, null]]
}

/** Anybody can make a contract emit words; a NUL among them is what the database cannot hold. */
const storable = (text: string) => text.replaceAll('\u0000', '\uFFFD')

/** What a record keeps of a decoded event. */
export const asFact = (args: object): Effect => Object.fromEntries(scalars('', args))

export interface EventFact extends AnyCallPair {
  readonly eventName: string
  settle(target: Address, logs: readonly ReceiptLog[]): Settled<Effect>[]
}

/** How the record calls an event: `<kind of contract>.<event>`. */
export const factName = (kind: string, eventName: string): string => `${kind}.${eventName}`

/** Every event of a contract as a fact: the follower takes down all of them, the calls of a feature expect one of them. */
export function eventFacts(kind: string, abi: Abi): EventFact[] {
  return abi.filter((item): item is AbiEvent => item.type === 'event').map((event) => eventFact(kind, event))
}

/** The same for every kind of contract that a feature knows. */
export const eventKinds = (abis: Readonly<Record<string, Abi>>): CallKinds =>
  Object.fromEntries(Object.entries(abis).map(([kind, abi]) => [kind, eventFacts(kind, abi)]))

/** One of them. */
export function eventFactOf(kind: string, abi: Abi, eventName: string): EventFact {
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === eventName)
  if (!event) throw new Error(`${kind} emits no ${eventName}`)
  return eventFact(kind, event)
}

function eventFact(kind: string, event: AbiEvent): EventFact {
  // Not before it is wanted: there are hundreds of events, and a command of the operator's tool looks at none.
  let known: string | undefined
  const selector = () => {
    known ??= toEventSelector(event)
    return known
  }
  const abi = [event] as const
  return {
    operation: factName(kind, event.name),
    eventName: event.name,
    abi,
    settle(target, logs) {
      const own = logs.filter(
        ({ address, topics }) => topics[0] === selector() && address.toLowerCase() === target.toLowerCase(),
      )
      return own.flatMap(({ topics, data, logIndex }) => {
        try {
          const { args } = decodeEventLog({ abi, data, topics: topics as [`0x${string}`] })
          return [{ logIndex, effect: asFact(args ?? {}) }]
        } catch {
          // Indexed otherwise than ours: another event of the same name.
          return []
        }
      })
    },
  }
}
