import type { Address } from 'viem'
import type { ReceiptLog } from '../platform/chain/call-pair.ts'
import { eventFacts } from '../platform/chain/event-facts.ts'
import { abis } from './contracts.ts'

const facts = eventFacts('stock', abis.stock)

/** What a token said in a transaction under one name, in the order in which it said it. */
export function tokenEvents(token: Address, eventName: string, logs: readonly ReceiptLog[]) {
  return facts.find((one) => one.eventName === eventName)?.settle(token, logs) ?? []
}
