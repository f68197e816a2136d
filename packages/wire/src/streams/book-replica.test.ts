import { crc32 as reference } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createBookReplica, ReplicaBroken } from './book-replica.ts'
import { crc32 } from './crc32.ts'
import { createLadder } from './ladder.ts'

const level = (price: number | bigint, quantity: number | bigint, orderCount = 1) => ({
  price: String(price),
  quantity: String(quantity),
  orderCount,
})
const snapshot = {
  type: 'snapshot' as const,
  sequence: '7',
  headHash: 'h7',
  bids: [level(100, 5, 2), level(99, 1)],
  asks: [level(101, 3)],
  checksum: crc32('100:5:2,99:1:1|101:3:1'),
}
const update = {
  type: 'update' as const,
  firstSequence: '8',
  lastSequence: '10',
  headHash: 'h10',
  bids: [level(100, 0, 0), level(98, 4)],
  asks: [level(1001, 2)],
  checksum: crc32('99:1:1,98:4:1|101:3:1,1001:2:1'),
}

function faultOf(work: () => void): string {
  try {
    work()
  } catch (error) {
    return (error as ReplicaBroken).fault
  }
  throw new Error('nothing was wrong')
}

describe('the checksum of a book', () => {
  it('is the CRC-32 that everybody has', () => {
    expect(crc32('123456789')).toBe('cbf43926')
    for (const text of ['', '|', '100:5:2|', 'x'.repeat(1_000)])
      expect(crc32(text)).toBe(reference(text).toString(16).padStart(8, '0'))
  })

  it('covers the 25 best levels of each side, best first', () => {
    const ladder = createLadder()
    expect(ladder.checksum()).toBe(crc32('|'))
    for (let price = 1; price <= 40; price += 1) {
      ladder.setBid(level(price, price))
      ladder.setAsk(level(100 + price, price))
    }
    const bids = Array.from({ length: 25 }, (_, index) => `${40 - index}:${40 - index}:1`).join(',')
    const asks = Array.from({ length: 25 }, (_, index) => `${101 + index}:${1 + index}:1`).join(',')
    expect(ladder.checksum()).toBe(crc32(`${bids}|${asks}`))
    ladder.setBid(level(1, 77))
    expect(ladder.checksum()).toBe(crc32(`${bids}|${asks}`))
  })
})

describe('a ladder', () => {
  it('is ordered by price as a number, however large, and forgets what is gone', () => {
    const ladder = createLadder()
    const prices = [9n, 10n, 2n ** 63n - 1n, 1000n, 99n]
    for (const price of prices) {
      ladder.setBid(level(price, 1))
      ladder.setAsk(level(price, 1))
    }
    const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1)).map(String)
    expect(ladder.asks().map(({ price }) => price)).toEqual(sorted)
    expect(ladder.bids().map(({ price }) => price)).toEqual(sorted.toReversed())
    expect(ladder.asks(2).map(({ price }) => price)).toEqual(['9', '10'])
    ladder.setAsk(level(10, 0, 0))
    ladder.setAsk(level(11, 0, 0))
    ladder.setAsk(level(9, 8, 3))
    expect(ladder.asks(2)).toEqual([level(9, 8, 3), level(99, 1)])
  })
})

describe('a replica of a book', () => {
  it('is what the messages say', () => {
    const replica = createBookReplica()
    expect([replica.sequence(), replica.headHash()]).toEqual([null, null])
    replica.take(snapshot)
    expect([replica.sequence(), replica.bids(), replica.asks()]).toEqual(['7', snapshot.bids, snapshot.asks])
    replica.take({ type: 'heartbeat' })
    replica.take(update)
    expect([replica.sequence(), replica.headHash(), replica.checksum()]).toEqual(['10', 'h10', update.checksum])
    expect(replica.bids()).toEqual([level(99, 1), level(98, 4)])
    expect(replica.asks(1)).toEqual([level(101, 3)])
    replica.take({ ...snapshot, sequence: '20' })
    expect([replica.sequence(), replica.bids()]).toEqual(['20', snapshot.bids])
  })

  it('notices that a message is missing, came twice, or came first', () => {
    const replica = createBookReplica()
    expect(faultOf(() => replica.take(update))).toBe('NO_SNAPSHOT')
    replica.take(snapshot)
    replica.take(update)
    expect(faultOf(() => replica.take(update))).toBe('GAP')
    // Until the next snapshot nothing is taken for true.
    expect(replica.sequence()).toBeNull()
    replica.take(snapshot)
    expect(faultOf(() => replica.take({ ...update, firstSequence: '9' }))).toBe('GAP')
  })

  it('notices levels that are not those of the server', () => {
    const replica = createBookReplica()
    replica.take(snapshot)
    const other = { ...update, bids: [level(98, 4)] }
    expect(() => replica.take(other)).toThrow(ReplicaBroken)
    expect(faultOf(() => createBookReplica().take({ ...snapshot, asks: [] }))).toBe('CHECKSUM')
  })
})
