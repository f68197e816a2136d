import { type Abi, type Hex, toEventSelector } from 'viem'
import { abis } from '../contracts.ts'
import type { LineKind } from './transactions.rules.ts'

const known = new Map<string, Hex>()

/** How a log shows which event it is, by the name that its fact has. */
function selectorOf(operation: string): Hex[] {
  const selector = known.get(operation) ?? computed(operation)
  if (!selector) return []
  known.set(operation, selector)
  return [selector]
}

function computed(operation: string): Hex | undefined {
  const [kind = '', name] = operation.split('.')
  const abi: Abi = (abis as Readonly<Record<string, Abi>>)[kind] ?? []
  const event = abi.findLast((item) => item.type === 'event' && item.name === name)
  return event?.type === 'event' ? toEventSelector(event) : undefined
}

export const eventSelectors = (kinds: readonly LineKind[]): Hex[] => [
  ...new Set(kinds.flatMap(({ operation }) => selectorOf(operation))),
]
