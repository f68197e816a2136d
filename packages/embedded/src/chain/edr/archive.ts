import { createBlockIndex } from './block-index.ts'
import type { Hex } from './hex.ts'
import {
  type BlockEntry,
  blockLine,
  type Checkpoint,
  changeLine,
  checkpointLine,
  parseLine,
  undoLine,
} from './segment-lines.ts'
import {
  beginSegment,
  continueSegment,
  deleteSegment,
  listSegments,
  readLines,
  readPart,
  type SegmentWriter,
} from './segments.ts'
import type { StoredBlock } from './stored-block.ts'
import { createUndoLog } from './undo-log.ts'
import { type Changes, createWorldState, emptyWord, type WorldState } from './world-state.ts'

interface Bounds {
  /** A segment ends when it has both, so that whatever can be undone lies in the last two. */
  segmentBytes: number
  segmentEntries: number
  /** The blocks of older segments are forgotten: a chain that runs for weeks must not fill the disk. */
  segmentsKept: number
  undoEntries: number
}

const usualBounds: Bounds = {
  segmentBytes: 16 * 1024 * 1024,
  segmentEntries: 2_048,
  segmentsKept: 16,
  undoEntries: 1_024,
}
const BLOCKS_IN_MEMORY = 512

/**
 * A chain in files: every block with its receipts, what it made of the accounts, and how to go back. Whatever was appended is there after a
 * kill, and a start reads the last two segments, however old the chain is.
 */
export interface Archive {
  readonly chainId: number
  head(): StoredBlock
  genesis(): StoredBlock
  append(entry: BlockEntry): void
  /** A change of accounts without a block. */
  change(changes: Changes): void
  mark(): number
  /** False when that is too long ago. */
  undoTo(mark: number): boolean
  undoToBlock(number: number): boolean
  /** Null where there is none; refuses with `PrunedError` where there was one. */
  block(number: number): StoredBlock | null
  numberOfBlock(hash: Hex): number | undefined
  numberOfTransaction(hash: Hex): number | undefined
  /** Hashes only, without reading the block. */
  hasTransactions(number: number): boolean
  /** The state after that block stays known: an engine that goes on from it asks for what it has not touched yet. */
  pin(number: number): void
  /** After that block; undefined when it is too long ago. */
  stateAt(number: number): Pick<WorldState, 'balance' | 'nonce' | 'code' | 'slot'> | undefined
  /** Of all accounts, after the newest block. */
  wholeState(): Changes
  /** The last two segments as one text: state, and the blocks that led to it. */
  dump(): string
  close(): void
}

export class PrunedError extends Error {
  override name = 'PrunedError'
}

/** A new chain, or one that goes on from the dump of another. */
export function beginArchive(folder: string, begin: Checkpoint | string, bounds = usualBounds): Archive {
  beginSegment(folder, 1, typeof begin === 'string' ? begin : checkpointLine(begin)).close()
  return openArchive(folder, bounds)
}

export function openArchive(folder: string, bounds = usualBounds): Archive {
  const segments = listSegments(folder)
  const state = createWorldState()
  const index = createBlockIndex()
  const undoLog = createUndoLog(bounds.undoEntries)
  const recent = new Map<number, StoredBlock>()
  const loadedFrom = Math.max(0, segments.length - 2)
  let chainId = 0
  let genesis: StoredBlock | undefined
  let head: StoredBlock | undefined
  let entriesInSegment = 0
  let unindexed = segments.slice(0, loadedFrom)

  function remember(block: StoredBlock): void {
    recent.set(Number(block.block.number), block)
    const [oldest] = recent.keys()
    if (recent.size > BLOCKS_IN_MEMORY && oldest !== undefined) recent.delete(oldest)
  }

  function applyBlock(entry: BlockEntry, place: { segment: number; offset: number; length: number }): void {
    const { block, receipts, changes } = entry
    const number = Number(block.number)
    const transactions = block.transactions.map(({ hash }) => hash)
    index.add(number, { ...place, hash: block.hash, transactions })
    undoLog.add(number, changes.map(state.apply))
    head = { block, receipts }
    remember(head)
    entriesInSegment += 1
  }

  function applyChange(changes: Changes): void {
    undoLog.add(null, [state.apply(changes)])
    entriesInSegment += 1
  }

  function applyUndo(entries: number): void {
    for (let left = entries; left > 0; left--) {
      const undone = undoLog.pop()
      for (const changes of undone?.undo ?? []) state.apply(changes)
      if (undone?.block === undefined || undone.block === null) continue
      index.remove(undone.block)
      recent.delete(undone.block)
      head = storedBlock(undone.block - 1) ?? undefined
    }
  }

  for (const segment of segments.slice(loadedFrom)) {
    entriesInSegment = 0
    for (const { text, offset, length } of readLines(folder, segment)) {
      const line = parseLine(text)
      if (line.kind === 'block') applyBlock(JSON.parse(line.json) as BlockEntry, { segment, offset, length })
      else if (line.kind === 'change') applyChange(line.changes)
      else if (line.kind === 'undo') applyUndo(line.entries)
      else if (!genesis) {
        ;({ chainId, genesis, head } = line.checkpoint)
        remember(head)
        state.apply(line.checkpoint.state)
      }
    }
  }

  let writer: SegmentWriter = continueSegment(folder, segments.at(-1) ?? 1)

  function storedBlock(number: number): StoredBlock | null {
    if (number === 0 && genesis) return genesis
    const known = recent.get(number)
    if (known) return known
    const place = index.place(number)
    if (!place) return null
    const line = parseLine(readPart(folder, place.segment, place.offset, place.length))
    if (line.kind !== 'block') throw new Error(`block ${number} is not where it was written`)
    const { block, receipts } = JSON.parse(line.json) as BlockEntry
    return { block, receipts }
  }

  /** Older segments are only looked through when somebody asks for what is in none of the newer ones. */
  function indexTheRest(): void {
    for (const segment of unindexed.toReversed()) {
      // A block that was undone stands before the one that took its place.
      const standing = new Map<number, () => void>()
      for (const { text, offset, length } of readLines(folder, segment)) {
        const line = text.startsWith('B ') ? parseLine(text) : undefined
        if (line?.kind !== 'block' || index.has(line.number)) continue
        const { number, hash, transactions } = line
        standing.set(number, () => index.add(number, { segment, offset, length, hash, transactions }))
      }
      for (const add of standing.values()) add()
    }
    unindexed = []
  }

  const headNumber = () => Number(currentHead().block.number)
  function currentHead(): StoredBlock {
    if (!head) throw new Error(`${folder} holds no chain`)
    return head
  }

  function rotateWhenFull(): void {
    if (writer.size() < bounds.segmentBytes || entriesInSegment < bounds.segmentEntries || !genesis) return
    const segment = writer.segment + 1
    writer.close()
    writer = beginSegment(
      folder,
      segment,
      checkpointLine({ chainId, genesis, head: currentHead(), state: state.whole() }),
    )
    entriesInSegment = 0
    for (const old of listSegments(folder).slice(0, -bounds.segmentsKept)) {
      deleteSegment(folder, old)
      index.removeSegment(old)
      unindexed = unindexed.filter((one) => one !== old)
    }
  }

  function undo(entries: number): void {
    if (entries === 0) return
    writer.append(undoLine(entries))
    applyUndo(entries)
  }

  return {
    chainId,
    head: currentHead,
    genesis: () => genesis ?? currentHead(),
    append(entry) {
      applyBlock(entry, { segment: writer.segment, ...writer.append(blockLine(entry)) })
      rotateWhenFull()
    },
    change(changes) {
      writer.append(changeLine(changes))
      applyChange(changes)
    },
    pin: undoLog.pin,
    mark: undoLog.mark,
    undoTo(mark) {
      const entries = undoLog.mark() - mark
      if (entries < 0 || !undoLog.canUndo(entries)) return false
      undo(entries)
      return true
    },
    undoToBlock(number) {
      const entries = undoLog.entriesAbove(number)
      if (entries === undefined || number > headNumber()) return false
      undo(entries)
      return true
    },
    block(number) {
      if (number > headNumber()) return null
      const found = storedBlock(number)
      if (found) return found
      indexTheRest()
      const older = storedBlock(number)
      if (older) return older
      throw new PrunedError(`block ${number} was forgotten: this chain keeps the newest ones only`)
    },
    numberOfBlock(hash) {
      if (genesis?.block.hash === hash) return 0
      if (index.numberOfBlock(hash) === undefined) indexTheRest()
      return index.numberOfBlock(hash)
    },
    numberOfTransaction(hash) {
      if (index.numberOfTransaction(hash) === undefined) indexTheRest()
      return index.numberOfTransaction(hash)
    },
    hasTransactions: (number) => (index.place(number)?.transactions.length ?? 1) > 0,
    stateAt(number) {
      const before = undoLog.before(number)
      if (!before || number > headNumber()) return undefined
      const wasOrIs = (was: Hex | null | undefined, ofNobody: Hex, is: () => Hex) =>
        was === null ? ofNobody : (was ?? is())
      return {
        balance: (address) => wasOrIs(before.field(address, 'balance'), '0x0', () => state.balance(address)),
        nonce: (address) => wasOrIs(before.field(address, 'nonce'), '0x0', () => state.nonce(address)),
        code: (address) => wasOrIs(before.field(address, 'code'), '0x', () => state.code(address)),
        slot: (address, slot) => wasOrIs(before.slot(address, slot), emptyWord, () => state.slot(address, slot)),
      }
    },
    wholeState: () => state.whole(),
    dump: () =>
      listSegments(folder)
        .slice(-2)
        .flatMap((segment) => [...readLines(folder, segment)].map(({ text }) => `${text}\n`))
        .join(''),
    close: () => writer.close(),
  }
}
