import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Grant, type Sql, StaleGrantError } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { waited } from '../../platform/measure.ts'
import type { Once } from '../../platform/once.ts'
import type { Random } from '../../platform/random.ts'
import * as auctionStore from './auctions.store.ts'
import { type AuctionsOfGroup, createAuctionsOfGroup } from './auctions-of-group.rules.ts'
import * as custodyStore from './custody.store.ts'
import { asHeld, type CustodyMoney, createCustodyMoney } from './custody-money.rules.ts'
import { createFold, type Fold } from './fold.rules.ts'
import * as facts from './group-facts.store.ts'
import { askFacts, factsFrom, type GroupFacts, gather, type Looks } from './group-facts.ts'
import { createLedgerMoney, type LedgerMoney } from './money.rules.ts'
import { createTurn, type InstanceKey, type Turn } from './turn.ts'
import * as store from './unit.store.ts'
import { synchronise, takeIntoUse, type UnitMemory, type UnitState } from './unit-memory.ts'

/** One request to a matching unit. */
export interface UnitRequest<T> {
  /** The key it came with, proven again in the group's own transaction; null: our own work. */
  readonly grant: Grant | null
  readonly looks: Looks
  /** The same of other instances, whose orders our own work ends. */
  readonly alsoLooks?: readonly Looks[]
  /** It changes orders and money, nothing else: where the ledger backs the book, the journal alone is enough to answer it. */
  readonly isOrder?: boolean
  /** Its idempotency key, to be kept in the same commit. Where that cannot be, it is refused with NotKeptOnce. */
  readonly once?: Once | undefined
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

/** What a group has done to its unit in memory, and the rows that it comes to. */
export interface Work {
  readonly at: Date
  readonly state: UnitState
  readonly fold: Fold
  readonly funds: Funds
  readonly entries: store.StoredEntry[]
  readonly bookChanges: Map<string, Record<string, unknown>>
  readonly settlementChanges: Map<string, Record<string, unknown>>
  readonly prices: facts.LoggedPrice[]
  /** Answers that are kept by the requests themselves. */
  readonly keys: InstanceKey[]
  readonly auctions: AuctionsOfGroup
}

/** Where the funds behind the orders of a unit are: in the ledger of their instances, or in a custody contract. */
export type Funds =
  | { readonly kind: 'ledger'; readonly money: LedgerMoney }
  | { readonly kind: 'custody'; readonly money: CustodyMoney; readonly custody: custodyStore.Custody }

export function fundsOf(
  { books, balances, isRegistered }: GroupFacts,
  custody: { chainId: string; custodyContract: string } | undefined,
  reservations: readonly custodyStore.Reservation[],
): Funds {
  const bookOf = (bookId: string) => {
    const book = books.get(bookId)
    if (!book) throw new Error(`the unit holds no book ${bookId}`)
    const { tokenAddress: base, quoteTokenAddress: quote, quoteDecimals } = book
    return { base, quote, quoteDecimals }
  }
  if (!custody) return { kind: 'ledger', money: createLedgerMoney(bookOf, balances, isRegistered) }
  return {
    kind: 'custody',
    money: createCustodyMoney(bookOf, reservations.map(asHeld)),
    custody: { chainId: Number(custody.chainId), custodyContract: custody.custodyContract },
  }
}

/** A row that was not where it had to be: whatever the reason, nothing of the group may be committed. */
function expectRows(what: string, got: number, wanted: number): void {
  if (got !== wanted) throw new Error(`${what}: ${got} rows instead of ${wanted}`)
}

export interface GroupResult {
  readonly outcomes: Outcome<unknown>[]
  readonly version: bigint
  readonly groupId: string | undefined
  readonly state: UnitState
  /** Whose reservations it locked, where trades settle on chain. */
  readonly custody: string | undefined
}

/** Runs requests against what is in memory. Whatever they did holds only once it is committed. */
export function performGroup(
  state: UnitState,
  known: GroupFacts,
  funds: Funds,
  requests: readonly UnitRequest<unknown>[],
  staleKeys: ReadonlySet<string>,
  { clock, random }: GroupParts,
): { work: Work; outcomes: Outcome<unknown>[] } {
  const at = clock.now()
  const work: Work = {
    at,
    state,
    fold: createFold({ at, newId: () => newId(clock, random) }),
    funds,
    entries: [],
    bookChanges: new Map(),
    settlementChanges: new Map(),
    prices: [],
    keys: [],
    auctions: createAuctionsOfGroup((bookId) => known.books.get(bookId)),
  }
  const { turn, expireDue } = createTurn({ ...work, facts: known })
  expireDue()
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
  return { work, outcomes }
}

/**
 * Runs requests against one unit inside an open transaction: lock, catch up, look, match, write. Two round trips, however many
 * requests there are. What it answers holds only once the transaction is committed; the memory is in use until its caller gives it back.
 */
export async function runGroup(
  sql: Sql,
  unitId: string,
  memory: UnitMemory,
  requests: readonly UnitRequest<unknown>[],
  { clock, random }: GroupParts,
): Promise<GroupResult> {
  const grants = [...new Map(requests.flatMap(({ grant }) => (grant ? [[grant.keyId, grant] as const] : []))).values()]
  const looks = gather(requests.flatMap(({ looks, alsoLooks = [] }) => [looks, ...alsoLooks]))
  // Sent one behind the other without waiting: the answers come back in one go.
  const [[, [row], missed, books, [custody], reservations], asked, [stale]] = await Promise.all([
    Promise.all([
      store.nameUnit(sql, unitId).execute(),
      waited('unit lock', store.lockUnit(sql, unitId).execute()),
      memory.state ? store.readEntries(sql, unitId, memory.state.head.number).execute() : [],
      facts.readBooks(sql, unitId).execute(),
      custodyStore.enterCustodyOfUnit(sql, unitId).execute(),
      custodyStore
        .readReservations(
          sql,
          looks.flatMap(({ holders }) => holders),
        )
        .execute(),
    ] as const),
    askFacts(sql, looks, clock.now()),
    Promise.all([facts.staleKeys(sql, grants).execute(), store.nameUnit(sql, unitId).execute()] as const),
  ])
  takeIntoUse(memory)
  const known = factsFrom(asked, books)
  if (!row) throw new Error(`there is no unit ${unitId}`)
  const state = await synchronise(store.entriesIn(sql, unitId), unitId, memory, row, missed)
  // Until it is committed, nobody else may take it for the truth.
  memory.state = undefined

  const { work, outcomes } = performGroup(
    state,
    known,
    fundsOf(known, custody, reservations),
    requests,
    new Set(stale.map((one) => one.stale)),
    { clock, random },
  )
  const ended = { outcomes, state, custody: custody && `${custody.chainId}:${custody.custodyContract}` }
  if (work.entries.length === 0 && work.bookChanges.size === 0 && work.settlementChanges.size === 0)
    return { ...ended, version: state.version, groupId: undefined }
  const groupId = newId(clock, random)
  await write(sql, unitId, work, groupId)
  return { ...ended, version: state.version, groupId }
}

const POOL_COLUMNS = ['status', 'allow_shared_liquidity', 'current_auction_id']
const changesPool = (columns: Record<string, unknown>): boolean => POOL_COLUMNS.some((column) => column in columns)

/** All rows of a group. The counts are looked at before anything is committed. */
async function write(sql: Sql, unitId: string, work: Work, groupId: string): Promise<void> {
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
  if (fold.trades.length > 0)
    send('trades', fold.trades.length, store.insertTrades(sql, unitId, fold.trades, work.funds.kind === 'ledger'))
  if (days.length > 0) send('days', days.length, store.addDays(sql, unitId, days))
  written.push(...writeSettlement(sql, unitId, work))
  for (const [bookId, columns] of bookChanges) send('book', 1, store.updateBook(sql, unitId, bookId, columns))
  written.push(...writeAuctions(sql, unitId, work))
  if ([...bookChanges.values()].some(changesPool))
    written.push(...store.rewritePeers(sql, unitId, at).map((query) => query.execute().then(() => {})))
  written.push(...writeTenants(sql, work))
  await Promise.all(written)
  state.version = version
}

/** After the rows of books and orders: those that wait are named after the auction that their book is in now. */
function writeAuctions(sql: Sql, unitId: string, { at, auctions }: Work): Promise<void>[] {
  const [rows, ended] = [[...auctions.rows.values()], [...auctions.ended.values()]]
  const written: Promise<void>[] = []
  if (rows.length > 0) {
    const bookIds = rows.map(({ bookId }) => bookId)
    for (const query of [
      auctionStore.upsertAuctions(sql, unitId, rows, at),
      auctionStore.nameAuctions(sql, unitId, bookIds),
    ])
      written.push(query.execute().then(() => {}))
  }
  if (ended.length > 0)
    written.push(
      auctionStore
        .endAuctions(sql, unitId, ended, at)
        .execute()
        .then(({ count }) => expectRows('auctions', count, ended.length)),
    )
  return written
}

/** What only trades that settle on chain have: signatures, stages, outcomes, and reservations in their custody contract. */
function writeSettlement(sql: Sql, unitId: string, { at, fold, funds, settlementChanges }: Work): Promise<void>[] {
  const { signedOrders, settlements, outcomes } = fold
  const written: Promise<void>[] = []
  const send = (what: string, wanted: number, query: { execute(): Promise<{ count: number }> }) =>
    written.push(query.execute().then(({ count }) => expectRows(what, count, wanted)))
  if (signedOrders.length > 0)
    send('signed orders', signedOrders.length, store.insertSignedOrders(sql, unitId, signedOrders))
  if (settlements.length > 0) send('settlements', settlements.length, store.insertSettlements(sql, unitId, settlements))
  for (const [settlementId, columns] of settlementChanges)
    send('settlement', 1, store.updateSettlement(sql, unitId, settlementId, columns))
  if (outcomes.length > 0) {
    const numbers = outcomes.map(({ number }) => number)
    const failed = outcomes.filter(({ status }) => status === 'FAILED').map(({ number }) => number)
    send('settled trades', outcomes.length, store.endTrades(sql, unitId, outcomes))
    written.push(
      store
        .endSettlements(sql, unitId, numbers, at)
        .execute()
        .then(() => {}),
    )
    if (failed.length > 0)
      written.push(
        store
          .rebuildDays(sql, unitId, failed)
          .execute()
          .then(() => {}),
      )
  }
  if (funds.kind === 'ledger') return written
  const changes = [...funds.money.changes.values()].filter(({ reserved }) => reserved !== 0)
  if (changes.length > 0) {
    written.push(
      custodyStore
        .openReservations(sql, funds.custody, changes, at)
        .execute()
        .then(() => {}),
    )
    send('reservations', changes.length, custodyStore.moveReservations(sql, funds.custody, changes, at))
  }
  return written
}

/** Balances and used ids, each instance's under its own setting. */
function writeTenants(sql: Sql, { at, fold, funds, prices, keys }: Work): Promise<void>[] {
  const ledger = funds.kind === 'ledger' ? funds.money : null
  const balanceChanges = ledger?.changes ?? []
  const instances = new Set([
    ...balanceChanges.map(({ instanceId }) => instanceId),
    ...fold.clientOrderIds.map(({ instanceId }) => instanceId),
    ...prices.map(({ instanceId }) => instanceId),
    ...keys.map(({ instanceId }) => instanceId),
  ])
  return [...instances].sort().flatMap((instanceId) => {
    const changes = balanceChanges
      .filter((change) => change.instanceId === instanceId && (change.available !== 0 || change.reserved !== 0))
      .sort((a, b) => (`${a.holder}\n${a.tokenAddress}` < `${b.holder}\n${b.tokenAddress}` ? -1 : 1))
    const ids = fold.clientOrderIds.filter((used) => used.instanceId === instanceId)
    const sent: Promise<unknown>[] = [facts.enterInstance(sql, instanceId).execute()]
    if (changes.length > 0) {
      const unsure = changes.filter((change) => !ledger?.isStored(change))
      if (unsure.length > 0) sent.push(facts.openBalances(sql, instanceId, unsure, at).execute())
      sent.push(
        facts
          .moveBalances(sql, instanceId, changes, at)
          .execute()
          .then(({ count }) => expectRows('balances', count, changes.length)),
      )
    }
    if (ids.length > 0) sent.push(facts.insertUsedIds(sql, instanceId, ids).execute())
    const kept = keys.filter((key) => key.instanceId === instanceId)
    if (kept.length > 0)
      sent.push(
        facts
          .keepKeys(sql, instanceId, kept, at)
          .execute()
          .then(({ count }) => expectRows('idempotency keys', count, kept.length)),
      )
    const logged = prices.filter((price) => price.instanceId === instanceId)
    if (logged.length > 0) sent.push(facts.insertPrices(sql, instanceId, logged, at).execute())
    return sent.map(async (one) => {
      await one
    })
  })
}

/** Only what a journal entry and its rows can say. */
export const isOrderWork = ({ bookChanges, settlementChanges, prices, keys, fold, auctions }: Work): boolean =>
  bookChanges.size + settlementChanges.size + prices.length + keys.length + auctions.rows.size + auctions.ended.size ===
    0 && fold.signedOrders.length + fold.settlements.length + fold.outcomes.length === 0
