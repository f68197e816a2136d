import { appendEntry, type Command, createEngine, emptyHead } from '@tallystick/engine'
import { OrderBook, Side } from 'nodejs-order-book'
import { drawStream, openStreamBook, type Stream, type StreamCommand, toPlace } from './engine-stream.ts'

/** Commands are made ready outside the time that is taken, as many at once as a busy server has in hand. */
const CHUNK = 1_000

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
export const offTheWire = (id: string) => Buffer.from(id, 'latin1').toString('latin1')

/** Does the stream on a book of its own: how long each chunk of it took, in milliseconds. */
function race<Ready>({ warmUp, commands }: Stream, { ready, perform }: Rival<Ready>): number[] {
  const times: number[] = []
  for (const [index, command] of warmUp.entries()) perform(ready(command, index))
  for (let from = 0; from < commands.length; from += CHUNK) {
    const chunk = commands.slice(from, from + CHUNK).map((command, index) => ready(command, from + index))
    const before = performance.now()
    for (const command of chunk) perform(command)
    times.push(performance.now() - before)
  }
  return times
}

const rounds = {
  ours: (stream: Stream) => race(stream, ours()),
  theirs: (stream: Stream) => race(stream, theirs()),
  journaled: (stream: Stream) => race(stream, oursJournaled()),
}
export type RivalName = keyof typeof rounds

/** What one thread does. */
export interface Run {
  readonly rival: RivalName
  readonly commands: number
}

/** A round of one of them, on the stream that all of them get. */
export function createRounds({ rival, commands }: Run): () => number[] {
  const stream = drawStream(commands, 1)
  return () => rounds[rival](stream)
}
