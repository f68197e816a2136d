import { expect, it } from 'vitest'
import { emptyFacts, remember } from './lane-facts.ts'
import type { LaneGroup } from './lane-rows.rules.ts'

const MOST_KEYS = 5_000

const groupOf = (sequence: bigint, keys: number): LaneGroup => ({
  laneId: 'lane',
  sequence,
  groupId: 'group',
  unit: null,
  at: new Date(0),
  entries: [],
  orders: [],
  changes: [],
  trades: [],
  days: [],
  balances: [],
  usedIds: [],
  keys: Array.from({ length: keys }, (_, index) => ({
    operation: 'submitOffchainOrder',
    key: `${sequence}-${index}`,
    fingerprint: '',
    status: 200,
    body: '',
  })),
})

it('forgets the oldest keys beyond a bound, and none whose row is not there yet', () => {
  const facts = emptyFacts()
  remember(facts, groupOf(1n, 2_000), 0n)
  remember(facts, groupOf(2n, 3_000), 0n)
  remember(facts, groupOf(3n, 1_000), 0n)
  expect(facts.keys.size).toBe(6_000)
  // Only the first group is rows.
  remember(facts, groupOf(4n, 10), 1n)
  expect(facts.keys.size).toBe(MOST_KEYS + 10)
  expect(facts.keys.has('submitOffchainOrder 1-999')).toBe(false)
  expect(facts.keys.has('submitOffchainOrder 1-1000')).toBe(true)
  remember(facts, groupOf(5n, 3_000), 1n)
  remember(facts, groupOf(6n, 1), 1n)
  expect(facts.keys.has('submitOffchainOrder 1-1999')).toBe(false)
  expect(facts.keys.has('submitOffchainOrder 2-0')).toBe(true)
})
