import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type AccountView, isDue, isStuck, judge, type Receipt } from './outcome.rules.ts'
import type { AttemptRow, OpenRelay } from './upkeep.store.ts'

const hash = (digit: number): Hex => `0x${String(digit).repeat(64)}`
const attempt = (ordinal: number, more: Partial<AttemptRow> = {}): AttemptRow => ({
  attemptId: `attempt ${ordinal}`,
  ordinal,
  txHash: hash(ordinal),
  raw: '0x',
  kind: 'CALL',
  gasLimit: 21_000n,
  maxFeePerGas: 100n,
  maxPriorityFeePerGas: 1n,
  status: 'pending',
  blockNumber: null,
  blockHash: null,
  createdAt: new Date(0),
  sentAt: null,
  takenAt: null,
  refusedAs: null,
  ...more,
})
const relay = (attempts: AttemptRow[], more: Partial<OpenRelay> = {}): OpenRelay => ({
  instanceId: 'i',
  relayId: 'r',
  nonce: 5n,
  kind: 'CALL',
  target: '0x',
  calldata: '0x',
  value: 0n,
  state: 'SIGNED',
  attempts,
  ...more,
})
const receipt: Receipt = { succeeded: true, blockNumber: 10n, blockHash: hash(9), gasUsed: 1n }
const view = (more: Partial<AccountView> = {}): AccountView => ({
  receipts: new Map(),
  used: 5n,
  takers: new Map(),
  blocks: new Map(),
  finalHeight: 8n,
  ...more,
})
const mined = (ordinal: number, more: Partial<Receipt> = {}) =>
  view({ receipts: new Map([[hash(ordinal), { ...receipt, ...more }]]), used: 6n })

describe('what became of a nonce', () => {
  it('is open while it is not used', () => {
    expect(judge(relay([attempt(1)]), view())).toEqual({ is: 'OPEN' })
  })

  it('is the receipt of whichever transaction has one; the others are replaced by it', () => {
    const verdict = judge(relay([attempt(1), attempt(2), attempt(3)]), mined(2))
    expect(verdict).toMatchObject({
      is: 'MINED',
      winner: 'attempt 2',
      final: false,
      isNews: true,
      attempts: [
        { status: 'replaced', replacedBy: hash(2) },
        { status: 'confirmed', replacedBy: null },
        { status: 'replaced', replacedBy: hash(2) },
      ],
    })
  })

  it('is a failure when the call failed', () => {
    expect(judge(relay([attempt(1)]), mined(1, { succeeded: false }))).toMatchObject({
      attempts: [{ status: 'failed', reason: expect.stringContaining('failed') }],
    })
  })

  it('is a failure of the call when its nonce was used for nothing', () => {
    expect(judge(relay([attempt(1), attempt(2, { kind: 'FILL' })]), mined(2))).toMatchObject({
      attempts: [
        { status: 'failed', replacedBy: hash(2), reason: expect.stringContaining('cancelled') },
        { status: 'confirmed' },
      ],
    })
  })

  it('is news once, and again when it becomes final or moves to another block', () => {
    const known = relay([attempt(1, { blockHash: hash(9) })], { state: 'MINED' })
    expect(judge(known, mined(1))).toMatchObject({ isNews: false, final: false })
    expect(judge(known, { ...mined(1), finalHeight: 10n })).toMatchObject({ isNews: true, final: true })
    expect(judge(known, mined(1, { blockHash: hash(8) }))).toMatchObject({ isNews: true })
  })

  it('is open again when another block stands where it was mined', () => {
    const known = relay([attempt(1), attempt(2, { blockNumber: 10n, blockHash: hash(9) })], { state: 'MINED' })
    expect(judge(known, view({ blocks: new Map([[10n, hash(8)]]) }))).toEqual({
      is: 'REOPENED',
      attempts: [
        { attemptId: 'attempt 1', status: 'replaced', replacedBy: hash(2), reason: null },
        { attemptId: 'attempt 2', status: 'pending', replacedBy: null, reason: null },
      ],
    })
  })

  it('stays mined while the node has not come to its block, or misses only its receipt', () => {
    const known = relay([attempt(1, { blockNumber: 10n, blockHash: hash(9) })], { state: 'MINED' })
    expect(judge(known, view())).toEqual({ is: 'UNCLEAR' })
    expect(judge(known, view({ used: 6n }))).toEqual({ is: 'UNCLEAR' })
    expect(judge(known, view({ used: 6n, blocks: new Map([[10n, hash(9)]]) }))).toEqual({ is: 'UNCLEAR' })
  })

  it('is unclear while a nonce is used without a receipt, and lost when another one was found that used it', () => {
    const used = { used: 6n }
    expect(judge(relay([attempt(1)]), view(used))).toEqual({ is: 'UNCLEAR' })
    expect(judge(relay([attempt(1)]), view({ ...used, takers: new Map([[5n, hash(1)]]) }))).toEqual({ is: 'UNCLEAR' })
    expect(judge(relay([attempt(1)]), view({ ...used, takers: new Map([[5n, hash(7)]]) }))).toMatchObject({
      is: 'LOST',
      attempts: [{ status: 'failed', reason: expect.stringContaining(`did not send: ${hash(7)}`) }],
    })
  })
})

it('is sent again after half a minute, and at every turn while no node takes it', () => {
  const now = new Date(60_000)
  expect(isDue(attempt(1), now)).toBe(true)
  expect(isDue(attempt(1, { sentAt: new Date(30_001) }), now)).toBe(false)
  expect(isDue(attempt(1, { sentAt: new Date(30_000) }), now)).toBe(true)
  expect(isDue(attempt(1, { sentAt: new Date(59_000), refusedAs: 'pool is full' }), now)).toBe(true)
})

describe('a transaction', () => {
  const later = new Date(10_000)
  const facts = { used: 5n, baseFee: 50n, stuckMs: 10_000 }
  it('is stuck when it is next and has waited long enough', () => {
    expect(isStuck(relay([]), attempt(1), later, facts)).toBe(true)
    expect(isStuck(relay([]), attempt(1), new Date(9_999), facts)).toBe(false)
  })
  it('begins to wait when a node has taken it', () => {
    expect(isStuck(relay([]), attempt(1, { takenAt: new Date(1) }), later, facts)).toBe(false)
    expect(isStuck(relay([]), attempt(1, { takenAt: new Date(1) }), new Date(10_001), facts)).toBe(true)
  })
  it('is not stuck behind another one, unless it offers less than the base fee', () => {
    expect(isStuck(relay([]), attempt(1), later, { ...facts, used: 4n })).toBe(false)
    expect(isStuck(relay([]), attempt(1), later, { ...facts, used: 4n, baseFee: null })).toBe(false)
    expect(isStuck(relay([]), attempt(1), later, { ...facts, used: 4n, baseFee: 101n })).toBe(true)
  })
})
