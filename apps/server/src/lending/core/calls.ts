import type { ContractEventName, ContractFunctionName } from 'viem'
import { eventsOf, typedCall } from '../../platform/chain/typed-call.ts'
import { abis, type ContractKind } from '../contracts.ts'

type Writing = 'nonpayable' | 'payable'

/** A function of a contract of lending, and the event of the same contract that proves it. */
export const at = <
  K extends ContractKind,
  F extends ContractFunctionName<(typeof abis)[K], Writing>,
  E extends ContractEventName<(typeof abis)[K]>,
>(
  kind: K,
  functionName: F,
  eventName: E,
) => typedCall(kind, abis[kind], functionName, eventName)

/** What a contract of lending says of something that happened along with a call. */
export const eventsAt = <K extends ContractKind, E extends ContractEventName<(typeof abis)[K]>>(
  kind: K,
  eventName: E,
) => eventsOf(abis[kind], eventName)
