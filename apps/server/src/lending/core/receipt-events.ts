import type { Abi, Address } from 'viem'
import type { Effect, ReceiptLog } from '../../platform/chain/call-pair.ts'
import { type EventFact, eventFacts } from '../../platform/chain/event-facts.ts'
import { abis, type ContractKind } from '../contracts.ts'

export interface ReceiptEvent {
  readonly name: string
  readonly effect: Effect
  readonly logIndex: number
}

const known = new Map<ContractKind, EventFact[]>()

function factsOf(kind: ContractKind): EventFact[] {
  const facts = known.get(kind) ?? eventFacts(kind, abis[kind] as Abi)
  known.set(kind, facts)
  return facts
}

/** Everything that one contract said in a transaction, in the order in which it said it. */
export function eventsOf(kind: ContractKind, address: Address, logs: readonly ReceiptLog[]): ReceiptEvent[] {
  return factsOf(kind)
    .flatMap(({ eventName, settle }) => settle(address, logs).map((settled) => ({ name: eventName, ...settled })))
    .toSorted((a, b) => a.logIndex - b.logIndex)
}
