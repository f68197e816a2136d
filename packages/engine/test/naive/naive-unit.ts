import type { Command, MassCancel } from '../../src/commands.ts'
import { cancelAuction, openAuction, uncross } from './naive-auctions.ts'
import { openBook, setPooled, setReference, updateBook } from './naive-books.ts'
import { finish } from './naive-orders.ts'
import { amend, place, waitingBy } from './naive-placing.ts'
import { report } from './naive-reporting.ts'
import { expireOrders, settleTrade, unwindTrade } from './naive-settling.ts'
import {
  inTurn,
  isUnsettled,
  isWaiting,
  type NaiveEvent,
  type NaiveOrder,
  type NaiveState,
  Refused,
} from './naive-state.ts'

type Handlers = { [Kind in Command['kind']]: (state: NaiveState, command: Extract<Command, { kind: Kind }>) => void }

const handlers: Handlers = {
  openBook,
  updateBook,
  setReference,
  openAuction,
  uncross,
  cancelAuction,
  place,
  amend,
  massCancel,
  pool: (state, { book }) => setPooled(state, book, true),
  unpool: (state, { book }) => setPooled(state, book, false),
  cancel: (state, { order, account, reason }) =>
    finish(state, waitingBy(state, order, account), 'CANCELLED', reason ?? 'USER_CANCELLED'),
  settle: (state, { trade }) => settleTrade(state, trade),
  unwind: (state, { trade, reason }) => unwindTrade(state, trade, reason),
  report,
  expire: () => {},
}

function massCancel(state: NaiveState, { account, book, side }: MassCancel): void {
  const isMeant = ({ placed }: NaiveOrder) =>
    (account ?? placed.account) === placed.account &&
    (book ?? placed.book) === placed.book &&
    (side ?? placed.side) === placed.side
  for (const order of inTurn(state, (order) => isWaiting(order) && isMeant(order)))
    finish(state, order, 'CANCELLED', 'MASS_CANCELLED')
}

function subjectOf(command: Command): string {
  if ('order' in command) return command.order
  if ('trade' in command) return `${command.trade}`
  return 'book' in command ? (command.book ?? '') : ''
}

/** The rules of the engine, written down as plainly as possible. Slow, and easy to follow. */
export function createNaiveUnit() {
  const state: NaiveState = { now: 0, born: 0, turns: 0, tradeCount: 0, events: [], books: [], orders: [], trades: [] }

  return {
    state: state as Readonly<NaiveState>,

    apply(command: Command): NaiveEvent[] {
      state.events = []
      state.now = Math.max(state.now, command.at)
      expireOrders(state)
      try {
        const handle = handlers[command.kind] as (state: NaiveState, command: Command) => void
        handle(state, command)
      } catch (fault) {
        if (!(fault instanceof Refused)) throw fault
        const { code, details } = fault
        state.events.push({ kind: 'refused', command: command.kind, subject: subjectOf(command), code, details })
      }
      return state.events
    },

    /** Drops what can never matter again, so that long runs stay possible. */
    forget(): void {
      const kept = state.orders.filter((order) => isWaiting(order) || isUnsettled(order))
      state.orders.splice(0, state.orders.length, ...kept)
    },
  }
}
