import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Grant, type Sql, StaleGrantError } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Random } from '../../platform/random.ts'
import { createFold, type Fold } from './fold.rules.ts'
import * as facts from './group-facts.store.ts'
import { askFacts, factsFrom, type GroupFacts, gather, type Looks } from './group-facts.ts'
import { createLedgerMoney, type LedgerMoney, unbackedMoney } from './money.rules.ts'
import { createTurn, type Turn } from './turn.ts'
import * as store from './unit.store.ts'
import { synchronise, type UnitMemory, type UnitState } from './unit-memory.ts'

/** One wish to a matching unit. */
export interface UnitRequest<T> {
  /** The key it came with, proven again in the group's own transaction; null: our own work. */
  readonly grant: Grant | null
  readonly looks: Looks
  /** Orders that it brings; one unless given. */
  readonly weight?: number
  /** Runs when it is this request's turn. An AppError refuses it, as long as nothing was executed yet. */
  perform(turn: Turn): T
}

export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

export interface GroupParts {
  readonly clock: Clock
  readonly random: Random
}

interface Work {
  readonly at: Date
  readonly state: UnitState
  readonly fold: Fold
  readonly money: LedgerMoney
  readonly entries: store.StoredEntry[]
  readonly bookChanges: Map<string, Record<string, unknown>>
  readonly prices: facts.LoggedPrice[]
}

function moneyOf({ books, balances, isRegistered }: GroupFacts): LedgerMoney {
  if ([...books.values()].some(({ settlementMode }) => settlementMode === 'ON_CHAIN')) return unbackedMoney()
  const tokensOf = (bookId: string) => {
    const book = books.get(bookId)
    if (!book) throw new Error(`the unit holds no book ${bookId}`)
    return { base: book.tokenAddress, quote: book.quoteTokenAddress }
  }
  return createLedgerMoney(tokensOf, balances, isRegistered)
}

/** A row that was not where it had to be: whatever the reason, nothing of the group may be committed. */
function expectRows(what: string, got: number, wanted: number): void {
  if (got !== wanted) throw new Error(`${what}: ${got} rows instead of ${wanted}`)
}

/**
 * Runs requests against one unit inside an open transaction: lock, catch up, look, match, write. Two round trips, however many
 * requests there are. What it answers holds only once the transaction is committed.
 */
export async function runGroup(
  sql: Sql,
  unitId: string,
  memory: UnitMemory,
  requests: readonly UnitRequest<unknown>[],
  { clock, random }: GroupParts,
): Promise<{ outcomes: Outcome<unknown>[]; version: bigint; groupId: string | undefined; state: UnitState }> {
  const grants = [...new Map(requests.flatMap(({ grant }) => (grant ? [[grant.keyId, grant] as const] : []))).values()]
  const looks = gather(requests.map((request) => request.looks))
  // Sent one behind the other without waiting: the answers come back in one go.
  const [[, [row], missed, books], asked, [stale]] = await Promise.all([
    Promise.all([
      store.nameUnit(sql, unitId).execute(),
      store.lockUnit(sql, unitId).execute(),
      memory.state ? store.readEntries(sql, unitId, memory.state.head.number).execute() : [],
      facts.readBooks(sql, unitId).execute(),
    ] as const),
    askFacts(sql, looks),
    Promise.all([facts.staleKeys(sql, grants).execute(), store.nameUnit(sql, unitId).execute()] as const),
  ])
  const known = factsFrom(asked, books)
  if (!row) throw new Error(`there is no unit ${unitId}`)
  const state = await synchronise(sql, unitId, memory, row, missed)
  // Until it is committed, nobody else may take it for the truth.
  memory.state = undefined

  const at = clock.now()
  const work: Work = {
    at,
    state,
    fold: createFold({ at, newTradeId: () => newId(clock, random) }),
    money: moneyOf(known),
    entries: [],
    bookChanges: new Map(),
    prices: [],
  }
  const turn = createTurn({ ...work, facts: known })
  const staleKeys = new Set(stale.map((one) => one.stale))
  const outcomes = requests.map(({ grant, perform }): Outcome<unknown> => {
    if (grant && staleKeys.has(grant.keyId))
      return { error: new StaleGrantError('the key changed since it was looked up') }
    const before = work.entries.length
    try {
      return { value: perform(turn) }
    } catch (error) {
      if (!(error instanceof AppError) || work.entries.length !== before) throw error
      return { error }
    }
  })
  if (work.entries.length === 0 && work.bookChanges.size === 0)
    return { outcomes, version: state.version, groupId: undefined, state }
  const groupId = newId(clock, random)
  await write(sql, unitId, work, groupId, { clock, random })
  return { outcomes, version: state.version, groupId, state }
}

/** All rows of a group. The counts are looked at before anything is committed. */
async function write(sql: Sql, unitId: string, work: Work, groupId: string, parts: GroupParts): Promise<void> {
  const { at, state, fold, entries, bookChanges } = work
  const [orders, changes, days] = [[...fold.orders.values()], [...fold.changes.values()], [...fold.days.values()]]
  const sequence = state.head.number
  const version = state.version + 1n
  const written: Promise<void>[] = []
  const send = (what: string, wanted: number, query: { execute(): Promise<{ count: number }> }) =>
    written.push(query.execute().then(({ count }) => expectRows(what, count, wanted)))

  send('unit', 1, store.moveUnit(sql, unitId, state.version, { sequence, headHash: state.head.hash }))
  send('group', 1, store.insertGroup(sql, unitId, { version, groupId, sequence }, at))
  if (entries.length > 0) send('journal', entries.length, store.insertEntries(sql, unitId, entries))
  if (orders.length > 0) send('new orders', orders.length, store.insertOrders(sql, unitId, orders))
  if (changes.length > 0) send('changed orders', changes.length, store.updateOrders(sql, unitId, changes))
  if (fold.trades.length > 0) send('trades', fold.trades.length, store.insertTrades(sql, unitId, fold.trades))
  if (days.length > 0) send('days', days.length, store.addDays(sql, unitId, days))
  for (const [bookId, columns] of bookChanges) send('book', 1, store.updateBook(sql, unitId, bookId, columns))
  if ([...bookChanges.values()].some((columns) => 'status' in columns || 'allow_shared_liquidity' in columns))
    written.push(...store.rewritePeers(sql, unitId, at).map((query) => query.execute().then(() => {})))
  written.push(...writeTenants(sql, work, parts))
  await Promise.all(written)
  state.version = version
}

/** Balances, entries and used ids, each instance's under its own setting. */
function writeTenants(sql: Sql, { at, fold, money, prices }: Work, { clock, random }: GroupParts): Promise<void>[] {
  const tradeIds = new Map(fold.trades.map(({ number, tradeId }) => [number, tradeId]))
  const instances = new Set([
    ...[...money.changes.values()].map(({ instanceId }) => instanceId),
    ...fold.clientOrderIds.map(({ instanceId }) => instanceId),
    ...prices.map(({ instanceId }) => instanceId),
  ])
  return [...instances].sort().flatMap((instanceId) => {
    const changes = [...money.changes.values()]
      .filter((change) => change.instanceId === instanceId && (change.available !== 0 || change.reserved !== 0))
      .sort((a, b) => (`${a.holder}\n${a.tokenAddress}` < `${b.holder}\n${b.tokenAddress}` ? -1 : 1))
    const entries = money.movements
      .filter((movement) => movement.instanceId === instanceId)
      .map((movement) => ({
        ...movement,
        entryId: newId(clock, random),
        tradeId: tradeIds.get(movement.trade) ?? null,
        reference: null,
      }))
    const ids = fold.clientOrderIds.filter((used) => used.instanceId === instanceId)
    const sent: Promise<unknown>[] = [facts.enterInstance(sql, instanceId).execute()]
    if (changes.length > 0) {
      sent.push(facts.openBalances(sql, instanceId, changes, at).execute())
      sent.push(
        facts
          .moveBalances(sql, instanceId, changes, at)
          .execute()
          .then(({ count }) => expectRows('balances', count, changes.length)),
      )
    }
    if (entries.length > 0) sent.push(facts.insertEntries(sql, instanceId, entries, at).execute())
    if (ids.length > 0) sent.push(facts.insertUsedIds(sql, instanceId, ids).execute())
    const logged = prices.filter((price) => price.instanceId === instanceId)
    if (logged.length > 0) sent.push(facts.insertPrices(sql, instanceId, logged, at).execute())
    return sent.map(async (one) => {
      await one
    })
  })
}
