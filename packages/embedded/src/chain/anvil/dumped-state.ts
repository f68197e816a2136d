/** The part of anvil's dump that is looked at. */
export interface DumpedState {
  block?: { timestamp?: string }
  accounts?: object
  blocks?: DumpedBlock[]
  transactions?: DumpedTransaction[]
}

interface DumpedBlock {
  header: { number: string; timestamp: string }
}

interface DumpedTransaction {
  block_number: number
}

/** A dump that a kill cut short, or that is of something else. */
export function parseDump(text: string): DumpedState | undefined {
  try {
    const state = JSON.parse(text) as DumpedState
    return state.accounts && Number.isSafeInteger(timestampOf(state)) ? state : undefined
  } catch {
    return undefined
  }
}

export const timestampOf = ({ block }: DumpedState): number => Number(block?.timestamp)

const numberOf = ({ header }: DumpedBlock): number => Number(header.number)

/**
 * Every start of the node makes a genesis block and dumps it beside the one of the chain; which of them it then shows as block 0
 * is chance. Only the first, on which the chain stands, may stay.
 */
export function withFirstGenesis(state: DumpedState): DumpedState {
  const [, ...later] = (state.blocks ?? [])
    .filter((block) => numberOf(block) === 0)
    .sort((one, other) => Number(one.header.timestamp) - Number(other.header.timestamp))
  if (later.length === 0) return state
  return { ...state, blocks: state.blocks?.filter((block) => !later.includes(block)) ?? [] }
}

/** Without the oldest blocks: the newest ones with their transactions that fit into so many bytes, and block 0. */
export function withNewestBlocks(state: DumpedState, bytes: number): DumpedState {
  const bytesOf = new Map<number, number>()
  const add = (number: number, part: object) =>
    bytesOf.set(number, (bytesOf.get(number) ?? 0) + JSON.stringify(part).length)
  for (const block of state.blocks ?? []) add(numberOf(block), block)
  for (const transaction of state.transactions ?? []) add(transaction.block_number, transaction)
  const newestFirst = [...(state.blocks ?? [])].sort((one, other) => numberOf(other) - numberOf(one))
  let left = bytes
  let lowest = numberOf(newestFirst[0] ?? { header: { number: '0', timestamp: '0' } })
  for (const block of newestFirst) {
    left -= bytesOf.get(numberOf(block)) ?? 0
    if (left < 0) break
    lowest = numberOf(block)
  }
  return {
    ...state,
    blocks: state.blocks?.filter((block) => numberOf(block) === 0 || numberOf(block) >= lowest) ?? [],
    transactions: state.transactions?.filter(({ block_number }) => block_number >= lowest) ?? [],
  }
}
