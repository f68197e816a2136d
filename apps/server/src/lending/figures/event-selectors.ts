import { type Abi, type Hex, toEventSelector } from 'viem'
import { abis } from '../contracts.ts'
import type { LineKind } from './transactions.rules.ts'

/** How a log shows which event it is, by the name that its fact has. */
const selectorOf = new Map<string, Hex>(
  Object.entries(abis).flatMap(([kind, abi]) =>
    (abi as Abi).flatMap((item) =>
      item.type === 'event' ? [[`${kind}.${item.name}`, toEventSelector(item)] as const] : [],
    ),
  ),
)

export const eventSelectors = (kinds: readonly LineKind[]): Hex[] => [
  ...new Set(kinds.flatMap(({ operation }) => selectorOf.get(operation) ?? [])),
]
