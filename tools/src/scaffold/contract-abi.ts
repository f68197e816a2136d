import * as abis from '@tallystick/abi'
import type { AbiEvent, AbiFunction, AbiParameter } from 'viem'

/** The contracts of a market that a write can call, by the names that `at(...)` takes. */
const contracts = {
  market: abis.lendingMarketAbi,
  router: abis.liquidationRouterAbi,
  rateModel: abis.interestRateModelAbi,
  oracle: abis.securityPriceOracleAbi,
} as const

/** A function, and the event of the same contract that proves it. */
export interface FoundCall {
  readonly contract: string
  readonly function: AbiFunction
  readonly event: AbiEvent
}

/** `contract.function` and the name of an event, as somebody typed them. */
export function findCall(target: string, eventName: string): FoundCall {
  const [contract = '', functionName = ''] = target.split('.')
  const abi = (contracts as Record<string, readonly { type: string; name?: string }[]>)[contract]
  if (!abi) throw new Error(`There is no ${contract}. A write calls one of: ${Object.keys(contracts).join(', ')}.`)
  const named = (type: string, name: string) => abi.find((item) => item.type === type && item.name === name)
  const found = named('function', functionName)
  if (!found) throw new Error(`The ${contract} has no function ${functionName}.`)
  const event = named('event', eventName)
  if (!event) throw new Error(`The ${contract} emits no ${eventName}.`)
  return { contract, function: found as AbiFunction, event: event as AbiEvent }
}

/** How a parameter travels: its schema in the body, its value in the call, and what an event says of it in an answer. */
export interface Carried {
  readonly schema: string
  readonly shown: string
  toCall(text: string): string
  toAnswer(text: string): string
  readonly sample: string
}

const text = (value: string) => value

const ADDRESS: Carried = {
  schema: 'Address',
  shown: 'LowercaseAddress',
  toCall: (value) => `${value}.toLowerCase() as Address`,
  toAnswer: text,
  sample: 'world.cash',
}
const NUMBER: Carried = {
  schema: 'IntegerString',
  shown: 'IntegerString',
  toCall: (value) => `BigInt(${value})`,
  toAnswer: (value) => `${value}.toString()`,
  sample: "'1'",
}
const SMALL_NUMBER: Carried = {
  schema: 'Type.Integer({ minimum: 0 })',
  shown: 'Type.Integer()',
  toCall: text,
  toAnswer: text,
  sample: '1',
}
const BOOLEAN: Carried = {
  schema: 'Type.Boolean()',
  shown: 'Type.Boolean()',
  toCall: text,
  toAnswer: text,
  sample: 'true',
}

/** The ABI gives integers of up to 48 bits as numbers. */
const LARGEST_SMALL = 48

export function carried({ type, name }: AbiParameter): Carried {
  if (type === 'address') return ADDRESS
  if (type === 'bool') return BOOLEAN
  const [, bits] = /^u?int(\d+)$/.exec(type) ?? []
  if (bits) return Number(bits) > LARGEST_SMALL ? NUMBER : SMALL_NUMBER
  throw new Error(`${name} is a ${type}, for which there is no template: copy a write that takes one.`)
}
