import { appendEntry, type Command, createEngine, emptyHead } from '@tallystick/engine'
import { OrderBook, Side } from 'nodejs-order-book'
import { drawStream, openStreamBook, type Stream, type StreamCommand, toPlace } from './engine-stream.ts'
import type { Report } from './report.ts'

/** Commands are made ready outside the time that is taken, as many at once as a busy server has in hand. */
const CHUNK = 1_000
const BAR = 15
const QUEUE_BAR = 3
const SNAPSHOT_BAR = 4
const RESTING = 100_000

/** A book under test: makes a command ready for it, and does one. */
interface Rival<Ready> {
  readonly ready: (command: StreamCommand, index: number) => Ready
  readonly perform: (ready: Ready) => unknown
}

function ours(): Rival<Command> {
  const engine = createEngine()
  engine.apply(openStreamBook)
  return {
    ready: (command, index) =>
      command.kind === 'cancel'
        ? { kind: 'cancel', at: index, order: offTheWire(command.id) }
        : { ...toPlace({ ...command, id: offTheWire(command.id) }, `account-${index % 100}`), at: index },
    perform: (command) => engine.apply(command),
  }
}

/** With the journal: every command and its events as text, chained by hashes. */
function oursJournaled(): Rival<Command> {
  const engine = createEngine()
  let head = emptyHead('bench')
  engine.apply(openStreamBook)
  return {
    ready: ours().ready,
    perform: (command) => {
      head = appendEntry(head, command, engine.apply(command))
    },
  }
}

type PeerCommand = Parameters<OrderBook['limit']>[0] | string

function theirs(): Rival<PeerCommand> {
  const book = new OrderBook()
  return {
    ready: (command) => {
      const id = offTheWire(command.id)
      if (command.kind === 'cancel') return id
      const { isBuy, size, price } = command
      return { id, side: isBuy ? Side.BUY : Side.SELL, size, price }
    },
    perform: (ready) => (typeof ready === 'string' ? book.cancel(ready) : book.limit(ready)),
  }
}

/** A string of its own, like every id that a request brings. */
const offTheWire = (id: string) => Buffer.from(id, 'latin1').toString('latin1')

/** Does the stream on a book of its own; keeps the shortest time that each chunk of it took in any round. */
function race<Ready>({ warmUp, commands }: Stream, { ready, perform }: Rival<Ready>, best: number[]): void {
  for (const [index, command] of warmUp.entries()) perform(ready(command, index))
  for (let from = 0; from < commands.length; from += CHUNK) {
    const chunk = commands.slice(from, from + CHUNK).map((command, index) => ready(command, from + index))
    const before = performance.now()
    for (const command of chunk) perform(command)
    const milliseconds = performance.now() - before
    const number = from / CHUNK
    // A chunk that had to wait for the processor says nothing about the book.
    best[number] = Math.min(best[number] ?? Number.POSITIVE_INFINITY, milliseconds)
  }
}

const perSecond = (commands: number, best: readonly number[]) =>
  (commands / best.reduce((total, milliseconds) => total + milliseconds, 0)) * 1000

/** Nanoseconds to cancel one order in the middle of a queue of so many at one price. */
function cancelCost(queue: number): number {
  const CANCELS = 10_000
  const engine = createEngine()
  engine.apply(openStreamBook)
  const order = (index: number) => ({ kind: 'limit', id: `o${index}`, isBuy: true, price: 100, size: 1 }) as const
  for (let index = 0; index < queue + CANCELS; index += 1) engine.apply(toPlace(order(index), 'a'))
  const cancels = Array.from({ length: CANCELS }, (_, index): Command => {
    const middle = Math.floor(queue / 2) + index
    return { kind: 'cancel', at: 0, order: `o${middle}` }
  })
  const before = performance.now()
  for (const command of cancels) engine.apply(command)
  return ((performance.now() - before) / CANCELS) * 1e6
}

interface SnapshotCost {
  readonly milliseconds: number
  /** For JSON to write the same orders, which somebody has made ready. */
  readonly asJson: number
  readonly longestPart: number
}

/** What a snapshot of so many resting orders takes; others wait for one part of it at a time. */
function snapshotCost(orders: number): SnapshotCost {
  const engine = createEngine()
  engine.apply(openStreamBook)
  for (let index = 0; index < orders; index += 1) {
    const isBuy = index % 2 === 0
    const price = isBuy ? 1_000 - (index % 100) : 1_001 + (index % 100)
    engine.apply(toPlace({ kind: 'limit', id: offTheWire(`order-${index}`), isBuy, price, size: 5 }, `a${index % 100}`))
  }
  const times = [performance.now()]
  const texts: string[] = []
  for (const part of engine.snapshotParts()) {
    texts.push(part)
    times.push(performance.now())
  }
  const milliseconds = performance.now() - (times[0] ?? 0)
  const rows = (JSON.parse(texts.join('')) as { orders: object[] }).orders
  const before = performance.now()
  JSON.stringify(rows)
  const asJson = performance.now() - before
  const longestPart = Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
  return { milliseconds, asJson, longestPart }
}

const shown = (rate: number) => `${Math.round(rate)}/s`
const shortest = (rounds: number, once: () => number) => Math.min(...Array.from({ length: rounds }, once))

/** Matching beside the book that npm offers, on one stream, in turn; and what a cancellation costs in a long queue. */
export function measureMatching(report: Report, { commands, rounds }: { commands: number; rounds: number }): void {
  const stream = drawStream(commands, 1)
  const few = { warmUp: stream.warmUp, commands: stream.commands.slice(0, commands / 5) }
  const [mine, others, journaled]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    race(stream, ours(), mine)
    race(stream, theirs(), others)
    race(few, oursJournaled(), journaled)
  }
  const [rate, peer] = [perSecond(commands, mine), perSecond(commands, others)]
  const label = `matching ${commands / 1000} thousand commands, beside nodejs-order-book`
  report.row(label, rate / peer, `>= ${BAR.toFixed(2)}`, rate / peer >= BAR, `${shown(rate)} / ${shown(peer)}`)
  process.stdout.write(`        with the hash-chained journal: ${shown(perSecond(few.commands.length, journaled))}\n`)

  const [short, long] = [shortest(7, () => cancelCost(100)), shortest(7, () => cancelCost(100_000))]
  const raw = `${long.toFixed(0)} ns / ${short.toFixed(0)} ns`
  const bar = `<= ${QUEUE_BAR.toFixed(2)}`
  report.row('cancelling in a queue of 100,000, beside one of 100', long / short, bar, long / short <= QUEUE_BAR, raw)

  const snapshots = Array.from({ length: 3 }, () => snapshotCost(RESTING))
  const [whole, json, part] = (['milliseconds', 'asJson', 'longestPart'] as const).map((name) =>
    Math.min(...snapshots.map((one) => one[name])),
  ) as [number, number, number]
  const isMet = whole / json <= SNAPSHOT_BAR
  const times = `${whole.toFixed(0)} ms / ${json.toFixed(0)} ms, longest part ${part.toFixed(0)} ms`
  const text = `a snapshot of ${RESTING / 1000} thousand orders, beside JSON.stringify`
  report.row(text, whole / json, `<= ${SNAPSHOT_BAR.toFixed(2)}`, isMet, times)
}
