import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Archive, beginArchive, openArchive, PrunedError } from './archive.ts'
import { type Hex, toHex } from './hex.ts'
import { createHistoryRpc } from './history-rpc.ts'
import { listSegments } from './segments.ts'
import type { StoredBlock } from './stored-block.ts'
import type { Changes } from './world-state.ts'

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
const holder: Hex = `0x${'a1'.repeat(20)}`
const newcomer: Hex = `0x${'b2'.repeat(20)}`

/** Small ones, so that a test fills several. */
const small = { segmentBytes: 4_096, segmentEntries: 16, segmentsKept: 3, undoEntries: 16 }

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tallystick-archive-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function blockAt(number: number, fork = 0): StoredBlock {
  const transaction = word(number * 1_000 + fork + 500_000)
  const hash = word(number * 1_000 + fork + 1)
  const block = { number: toHex(number), hash, timestamp: toHex(number * 2), transactions: [{ hash: transaction }] }
  const log = { address: holder, topics: [word(number)] }
  return { block, receipts: [{ transactionHash: transaction, logs: [log] }] }
}

const genesis: StoredBlock = {
  block: { number: '0x0', hash: word(1), timestamp: '0x0', transactions: [] },
  receipts: [],
}
const state: Changes = { [holder]: { balance: '0x64', nonce: '0x0', code: '0x', storage: {} } }

function begin(path: string): Archive {
  return beginArchive(path, { chainId: 7, genesis, head: genesis, state }, small)
}

/** Block `number` leaves its number as balance, in slot 1, and in a slot of its own. */
function grow(archive: Archive, from: number, to: number, fork = 0): void {
  for (let number = from; number <= to; number++)
    archive.append({
      ...blockAt(number, fork),
      changes: [
        { [holder]: { balance: toHex(number), storage: { [word(1)]: word(number), [word(100 + number)]: word(1) } } },
      ],
    })
}

const balanceAt = (archive: Archive, number: number) => archive.stateAt(number)?.balance(holder)

describe('a chain in files', () => {
  it('is the same after it was opened again', () => {
    const path = folder()
    const first = begin(path)
    grow(first, 1, 5)
    first.change({ [newcomer]: { balance: '0x9' } })
    first.close()
    const again = openArchive(path, small)
    expect(again.chainId).toBe(7)
    expect(again.head()).toEqual(blockAt(5))
    expect(again.genesis()).toEqual(genesis)
    expect(again.block(3)).toEqual(blockAt(3))
    expect(again.stateAt(5)?.slot(holder, word(1))).toBe(word(5))
    expect(again.stateAt(5)?.balance(newcomer)).toBe('0x9')
    expect(again.block(6)).toBeNull()
  })

  it('tells what accounts were after an earlier block', () => {
    const archive = begin(folder())
    grow(archive, 1, 3)
    archive.append({
      ...blockAt(4),
      changes: [{ [newcomer]: { balance: '0x1', nonce: '0x1', code: '0x60', storage: {} } }],
    })
    expect([0, 1, 2, 3, 4].map((number) => balanceAt(archive, number))).toEqual(['0x64', '0x1', '0x2', '0x3', '0x3'])
    expect(archive.stateAt(2)?.slot(holder, word(103))).toBe(word(0))
    expect(archive.stateAt(3)?.slot(holder, word(103))).toBe(word(1))
    expect(archive.stateAt(3)?.code(newcomer)).toBe('0x')
    expect(archive.stateAt(4)?.code(newcomer)).toBe('0x60')
    expect(archive.stateAt(5)).toBeUndefined()
  })

  it('goes back by blocks, and the blocks that then follow take the place of the others, also when opened again', () => {
    const path = folder()
    const archive = begin(path)
    grow(archive, 1, 6)
    expect(archive.undoToBlock(3)).toBe(true)
    expect(balanceAt(archive, 3)).toBe('0x3')
    expect(archive.numberOfBlock(blockAt(5).block.hash)).toBeUndefined()
    grow(archive, 4, 5, 7)
    archive.close()
    for (const one of [archive, openArchive(path, small)]) {
      expect(one.head()).toEqual(blockAt(5, 7))
      expect(one.block(4)).toEqual(blockAt(4, 7))
      expect(one.stateAt(5)?.slot(holder, word(106))).toBe(word(0))
    }
    expect(archive.undoToBlock(9)).toBe(false)
  })

  it('goes back to a mark, with changes that were made without a block', () => {
    const archive = begin(folder())
    grow(archive, 1, 2)
    const mark = archive.mark()
    archive.change({ [holder]: { balance: '0xffff' } })
    grow(archive, 3, 3)
    expect(archive.undoTo(mark)).toBe(true)
    expect(archive.head()).toEqual(blockAt(2))
    expect(balanceAt(archive, 2)).toBe('0x2')
    expect(archive.undoTo(mark + 1)).toBe(false)
  })

  it('opens the newest files only, finds older blocks in the others, and says what it has forgotten', () => {
    const path = folder()
    const archive = begin(path)
    grow(archive, 1, 200)
    archive.close()
    expect(listSegments(path)).toHaveLength(small.segmentsKept)
    const again = openArchive(path, small)
    expect(again.head()).toEqual(blockAt(200))
    expect(again.stateAt(200)?.slot(holder, word(150))).toBe(word(1))
    const oldest = [...Array(200).keys()].find((number) => number > 0 && has(again, number)) ?? 0
    expect(oldest).toBeGreaterThan(100)
    expect(again.block(oldest)).toEqual(blockAt(oldest))
    expect(again.numberOfTransaction(blockAt(oldest).receipts[0]?.transactionHash ?? '0x')).toBe(oldest)
    expect(() => again.block(oldest - 1)).toThrow(PrunedError)
    expect(again.block(0)).toEqual(genesis)
    expect(again.undoToBlock(150)).toBe(false)
  })

  it('tells the state after a block that is pinned, however many follow', () => {
    const archive = begin(folder())
    grow(archive, 1, 10)
    archive.pin(10)
    grow(archive, 11, 300)
    expect(balanceAt(archive, 10)).toBe('0xa')
    expect(archive.stateAt(9)).toBeUndefined()
    archive.pin(290)
    grow(archive, 301, 400)
    expect(balanceAt(archive, 290)).toBe(toHex(290))
    expect(archive.stateAt(10)).toBeUndefined()
  })

  it('can be begun from what another one dumps', () => {
    const archive = begin(folder())
    grow(archive, 1, 40)
    archive.undoToBlock(38)
    const path = folder()
    const copy = beginArchive(path, archive.dump(), small)
    expect(copy.head()).toEqual(blockAt(38))
    expect(balanceAt(copy, 38)).toBe(balanceAt(archive, 38))
    expect(copy.block(37)).toEqual(blockAt(37))
  })
})

function has(archive: Archive, number: number): boolean {
  try {
    return archive.block(number) !== null
  } catch {
    return false
  }
}

describe('the history of a chain in files over JSON-RPC', () => {
  const ask = (archive: Archive, method: string, ...params: unknown[]) =>
    createHistoryRpc(archive).get(method)?.(params)

  it('shows blocks with transactions or their hashes', () => {
    const archive = begin(folder())
    grow(archive, 1, 3)
    const { block } = blockAt(2)
    expect(ask(archive, 'eth_getBlockByNumber', '0x2', true)).toEqual(block)
    expect(ask(archive, 'eth_getBlockByHash', block.hash, false)).toEqual({
      ...block,
      transactions: block.transactions.map(({ hash }) => hash),
    })
    expect(ask(archive, 'eth_getBlockByNumber', '0x9', false)).toBeNull()
    expect(ask(archive, 'eth_getBlockByHash', word(999), false)).toBeNull()
    expect(ask(archive, 'eth_getTransactionReceipt', word(999))).toBeNull()
  })

  it('finds logs in a range and refuses a block that it does not have', () => {
    const archive = begin(folder())
    grow(archive, 1, 5)
    const found = ask(archive, 'eth_getLogs', {
      fromBlock: '0x2',
      toBlock: '0x3',
      address: holder.toUpperCase().replace('0X', '0x'),
    })
    expect(found).toEqual([2, 3].map((number) => ({ address: holder, topics: [word(number)] })))
    expect(
      ask(archive, 'eth_getLogs', { fromBlock: '0x1', toBlock: 'latest', topics: [[word(4), word(5)]] }),
    ).toHaveLength(2)
    expect(() => ask(archive, 'eth_getLogs', { blockHash: word(12345) })).toThrow('unknown block')
  })

  it('says that history is gone, rather than that there was none', () => {
    const path = folder()
    grow(begin(path), 1, 200)
    const archive = openArchive(path, small)
    expect(() => ask(archive, 'eth_getLogs', { fromBlock: '0x1', toBlock: '0x5' })).toThrow(
      'pruned history unavailable',
    )
  })
})
