import type { Hex } from './hex.ts'
import type { StoredBlock } from './stored-block.ts'
import type { Changes } from './world-state.ts'

/**
 * The lines of a segment. The first is a checkpoint: whoever has it needs nothing from before. What is needed to find a block again stands
 * before its JSON, so that a search parses none of it.
 */
export type Line =
  | { kind: 'checkpoint'; checkpoint: Checkpoint }
  | { kind: 'block'; number: number; hash: Hex; transactions: Hex[]; json: string }
  | { kind: 'change'; changes: Changes }
  | { kind: 'undo'; entries: number }

export interface Checkpoint {
  chainId: number
  genesis: StoredBlock
  head: StoredBlock
  state: Changes
}

export interface BlockEntry extends StoredBlock {
  changes: Changes[]
}

export const checkpointLine = (checkpoint: Checkpoint): string => `C ${JSON.stringify(checkpoint)}\n`
export const changeLine = (changes: Changes): string => `S ${JSON.stringify(changes)}\n`
export const undoLine = (entries: number): string => `U ${entries}\n`

export function blockLine(entry: BlockEntry): string {
  const { number, hash, transactions } = entry.block
  const hashes = transactions.map((transaction) => transaction.hash).join(',')
  return `B ${Number(number)} ${hash} ${hashes || '-'} ${JSON.stringify(entry)}\n`
}

export function parseLine(line: string): Line {
  const rest = line.slice(2)
  switch (line.slice(0, 2)) {
    case 'C ':
      return { kind: 'checkpoint', checkpoint: JSON.parse(rest) as Checkpoint }
    case 'S ':
      return { kind: 'change', changes: JSON.parse(rest) as Changes }
    case 'U ':
      return { kind: 'undo', entries: Number(rest) }
    case 'B ': {
      const [number, hash, hashes] = rest.split(' ', 3)
      const json = rest.slice(rest.indexOf('{'))
      return {
        kind: 'block',
        number: Number(number),
        hash: hash as Hex,
        transactions: hashes === '-' ? [] : (hashes?.split(',') as Hex[]),
        json,
      }
    }
    default:
      throw new Error(`no line of a chain begins with "${line.slice(0, 20)}"`)
  }
}
