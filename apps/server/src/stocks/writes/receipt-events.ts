import type { Address, ContractEventName } from 'viem'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import { eventsOf } from '../../platform/chain/typed-call.ts'
import { abis } from '../contracts.ts'

/** What a token said in a transaction under one name, in the order in which it said it. */
export const tokenEvents = <E extends ContractEventName<typeof abis.stock>>(
  token: Address,
  eventName: E,
  logs: readonly ReceiptLog[],
) => eventsOf(abis.stock, eventName)(token, logs)
