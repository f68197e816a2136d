import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Command, createEngine } from '@tallystick/engine'
import { bundledFile } from '../../apps/server/test/process/programs.ts'
import { offTheWire, type RivalName, type Run } from './engine-rivals.ts'
import { openStreamBook, toPlace } from './engine-stream.ts'
import type { Report } from './report.ts'

const BAR = 25
const QUEUE_BAR = 3
const SNAPSHOT_BAR = 4
const RESTING = 100_000

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

/** Does its rounds one by one, in a thread of its own: what one book leaves to be collected, and what it teaches the compiler, is no other's. */
async function startRival(rival: RivalName, commands: number) {
  const script = await bundledFile(fileURLToPath(new URL('./engine-alone.ts', import.meta.url)), 'engine-alone')
  const worker = new Worker(script, { workerData: { rival, commands } satisfies Run })
  const best: number[] = []
  return {
    async round(): Promise<void> {
      worker.postMessage('round')
      const [milliseconds] = (await once(worker, 'message')) as [number[]]
      // A chunk that had to wait for the processor says nothing about the book.
      for (const [chunk, time] of milliseconds.entries())
        best[chunk] = Math.min(best[chunk] ?? Number.POSITIVE_INFINITY, time)
    },
    perSecond: () => (commands / best.reduce((total, milliseconds) => total + milliseconds, 0)) * 1000,
    stop: () => worker.terminate(),
  }
}

const shown = (rate: number) => `${Math.round(rate)}/s`
const shortest = (rounds: number, once: () => number) => Math.min(...Array.from({ length: rounds }, once))

/** Matching beside the book that npm offers, on one stream, in turn; and what a cancellation costs in a long queue. */
export async function measureMatching(
  report: Report,
  { commands, rounds }: { commands: number; rounds: number },
): Promise<void> {
  const ours = await startRival('ours', commands)
  const theirs = await startRival('theirs', commands)
  const journaled = await startRival('journaled', commands / 5)
  for (let round = 0; round < rounds; round += 1) for (const one of [ours, theirs, journaled]) await one.round()
  const [rate, peer] = [ours.perSecond(), theirs.perSecond()]
  const label = `matching ${commands / 1000} thousand commands, beside nodejs-order-book`
  report.row(label, rate / peer, `>= ${BAR.toFixed(2)}`, rate / peer >= BAR, `${shown(rate)} / ${shown(peer)}`)
  process.stdout.write(`        with the hash-chained journal: ${shown(journaled.perSecond())}\n`)
  for (const one of [ours, theirs, journaled]) await one.stop()

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
