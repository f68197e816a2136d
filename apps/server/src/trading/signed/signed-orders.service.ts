import type { MakerView } from '@tallystick/engine'
import type { PlacedSignedOrderRecord } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { ChainDisagreementError } from '../../platform/chain/agreement.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import {
  DatabaseBusyError,
  DatabaseUnavailableError,
  StaleGrantError,
  type TenantDatabase,
} from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { newId } from '../../platform/ids.ts'
import type { Once, ReplayedAnswer } from '../../platform/once.ts'
import { openAccount } from '../accounts/index.ts'
import type { TradingParts } from '../parts.ts'
import { endsOfKeys, type KeptKey, nameOfKey, type Turn } from '../unit/index.ts'
import type { ChainGate } from './chain-gate.service.ts'
import { type Draft, draftOf, type SignedRequest } from './draft.ts'
import type { CheckedMaker } from './makers.ts'
import type { OnchainBook } from './onchain-book.ts'
import { orRefusal } from './or-refusal.ts'
import { peekMakers } from './peek.ts'
import { asPlacedSigned } from './placed-signed.ts'
import { type OwnFacts, placeSigned, requireOpen } from './placing-signed.ts'
import type { SignedRows } from './signed-rows.ts'

/** Taken, or refused for itself; with a key that was used before, what was answered then. */
export type SignedOutcome = PlacedSignedOrderRecord | AppError | ReplayedAnswer

/** Looks at the other side in a row that are out of date when the turn comes, before a caller is told to come again. */
const ROUNDS = 4
const REMEMBERED_ACCOUNTS = 100_000
const USED_TWICE = 'signed_orders_once'

/** An order as it was sent, and the key that its answer is kept under in the commit that takes it. */
export interface SentOrder {
  readonly request: SignedRequest
  readonly once?: Once | undefined
}

/** An order on its way into the book. */
interface Waiting {
  readonly place: number
  readonly draft: Draft
  readonly once: Once | undefined
  own: OwnFacts | undefined
  /** Resting orders that were looked at for it. */
  readonly makers: Map<string, CheckedMaker>
  /** And those that have to be. */
  unchecked: readonly MakerView[]
}

/** What a group did, up to an order that met somebody who was not looked at. */
interface Performed {
  readonly done: ReadonlyMap<number, SignedOutcome>
  readonly blocked?: { readonly place: number; readonly unchecked: readonly MakerView[] }
}

export interface SignedOrdersParts extends TradingParts {
  readonly gate: ChainGate
  readonly rows: SignedRows
}

const isRefused = (outcome: unknown): outcome is AppError | ReplayedAnswer => outcome instanceof Error

function keptKey(once: Once, placed: PlacedSignedOrderRecord): KeptKey {
  const { operation, key, fingerprint } = once
  const { status, body } = once.answered(placed)
  return { operation, key, fingerprint: fingerprint.toString('hex'), status, body }
}

/** How far it came with several. */
interface Attempted {
  readonly outcomes: ReadonlyMap<number, SignedOutcome>
  /** One at least is in the book. */
  readonly isAnyTaken: boolean
  /** What ended it for those without an outcome. */
  readonly failure?: { readonly error: unknown }
}

/** What the chain or the book said to all of them: told to each, once some are in the book already. */
function asCommonRefusal(error: unknown): AppError | null {
  if (error instanceof ChainUnavailableError || error instanceof ChainDisagreementError)
    return new AppError('CHAIN_UNAVAILABLE', { cause: error })
  return error instanceof AppError ? error : null
}

/** Tried again one by one, they would all hear the same. */
const isOfAll = (error: unknown): boolean =>
  asCommonRefusal(error) !== null ||
  error instanceof StaleGrantError ||
  error instanceof DatabaseBusyError ||
  error instanceof DatabaseUnavailableError

/** New signed orders of one book, from what was sent to the answer. */
export function createSignedOrdersService({ clock, random, units, gate, rows }: SignedOrdersParts) {
  const withAccount = new Set<string>()

  /** A wallet's first order opens its account. */
  async function openAccounts(tenant: TenantDatabase, holders: readonly string[]): Promise<void> {
    const keyOf = (holder: string) => `${tenant.instanceId} ${holder}`
    const strangers = [...new Set(holders)].filter((holder) => !withAccount.has(keyOf(holder)))
    if (strangers.length === 0) return
    await tenant.transaction(async (sql) => {
      for (const holder of strangers)
        await openAccount(sql, tenant.instanceId, { accountId: newId(clock, random), holder, now: clock.now() })
    })
    // A transaction that is open still could be taken back, and the account with it.
    if (tenant.joined) return
    if (withAccount.size >= REMEMBERED_ACCOUNTS) withAccount.clear()
    for (const holder of strangers) withAccount.add(keyOf(holder))
  }

  /** What came of an order at its turn, with its answer kept under its key. */
  function take(
    turn: Turn,
    book: OnchainBook,
    { draft, once, own, makers }: Waiting,
    used: ReadonlyMap<string, string>,
  ): { readonly outcome: SignedOutcome } | { readonly unchecked: readonly MakerView[] } {
    const { instanceId } = draft.party
    const ended = once && turn.endOfKey(instanceId, once)
    if (ended) return { outcome: ended }
    if (!own) throw new Error('an order came to its turn without having been looked at')
    const placed = placeSigned(turn, book, { draft, own, makers }, used)
    if ('unchecked' in placed) return placed
    const outcome = asPlacedSigned(book, draft, placed, (bookId) => turn.book(bookId)?.instanceId)
    if (once) turn.keepAnswer(instanceId, keptKey(once, outcome))
    return { outcome }
  }

  function performAll(turn: Turn, book: OnchainBook, waiting: readonly Waiting[], used: ReadonlyMap<string, string>) {
    const done = new Map<number, SignedOutcome>()
    const usedNow = new Map(used)
    requireOpen(turn, book.bookId, waiting[0]?.draft.command.bandExempt ?? false)
    for (const one of waiting) {
      const { place, draft } = one
      const taken = orRefusal(() => take(turn, book, one, usedNow))
      if (taken instanceof AppError) done.set(place, taken)
      else if ('unchecked' in taken) return { done, blocked: { place, ...taken } }
      else done.set(place, taken.outcome)
      if (!isRefused(done.get(place))) usedNow.set(draft.hash, draft.orderId)
    }
    return { done }
  }

  /** One group. A signature that somebody else used in the same moment is noted, and nothing was done. */
  async function attempt(
    tenant: TenantDatabase,
    caller: Caller,
    book: OnchainBook,
    waiting: readonly Waiting[],
    used: Map<string, string>,
  ): Promise<Performed> {
    try {
      return await units.submit<Performed>(tenant, book.unitId, {
        grant: caller.grant,
        weight: waiting.length,
        looks: {
          instanceId: tenant.instanceId,
          holders: waiting.map(({ draft }) => draft.party.holder),
          clientOrderIds: waiting.flatMap(({ draft }) => draft.clientOrderId ?? []),
          keys: waiting.flatMap(({ once }) => once ?? []),
        },
        perform: (turn) => performAll(turn, book, waiting, used),
      })
    } catch (error) {
      if ((error as { constraint_name?: string }).constraint_name !== USED_TWICE) throw error
      const hashes = waiting.map(({ draft }) => draft.hash)
      for (const [orderHash, orderId] of await rows.usedBefore(tenant, book, hashes)) {
        // A transaction that failed cannot go on; its caller is told right away.
        if (tenant.joined) throw new AppError('DUPLICATE_ORDER', { extra: { orderId, orderHash } })
        used.set(orderHash, orderId)
      }
      return { done: new Map() }
    }
  }

  /** Looks at what is unknown still. Orders that the chain stands against are out. */
  async function look(tenant: TenantDatabase, book: OnchainBook, waiting: readonly Waiting[]) {
    const refused = new Map<number, SignedOutcome>()
    const findings = await gate.pass(
      tenant,
      book,
      waiting.map(({ draft, own, unchecked }) => ({ draft, isNew: own === undefined, makers: unchecked })),
    )
    waiting.forEach((one, index) => {
      const finding = findings[index]
      if (finding?.own instanceof AppError) refused.set(one.place, finding.own)
      else if (finding?.own) one.own = finding.own
      one.unchecked = []
      for (const maker of finding?.makers ?? []) one.makers.set(maker.orderId, maker)
    })
    return refused
  }

  /** Each is taken or refused for itself, up to what failed for all that were left. */
  async function place(
    tenant: TenantDatabase,
    caller: Caller,
    book: OnchainBook,
    sent: readonly SentOrder[],
  ): Promise<Attempted> {
    const outcomes = new Map<number, SignedOutcome>()
    const drafted: Waiting[] = []
    const left = () => drafted.filter(({ place }) => !outcomes.has(place))
    const note = (found: ReadonlyMap<number, SignedOutcome>) => {
      for (const [place, outcome] of found) outcomes.set(place, outcome)
    }
    // Once a turn was had in a transaction that is open still, the unit is held: another look would keep everybody waiting, and those who
    // wait in this process would keep it from its second turn.
    const rounds = tenant.joined ? 1 : ROUNDS
    let isAnyTaken = false
    try {
      const keys = sent.flatMap(({ once }) => once ?? [])
      const ended = await endsOfKeys(tenant, keys, clock.now())
      for (const [place, { request, once }] of sent.entries()) {
        const draft =
          (once && ended.get(nameOfKey(once))) ??
          orRefusal(() => draftOf(book, tenant.instanceId, newId(clock, random), request))
        if (isRefused(draft)) outcomes.set(place, draft)
        else drafted.push({ place, draft, once, own: undefined, makers: new Map(), unchecked: [] })
      }
      const used = await rows.usedBefore(
        tenant,
        book,
        drafted.map(({ draft }) => draft.hash),
      )
      const drafts = drafted.map(({ draft }) => draft)
      for (const [index, one] of drafted.entries())
        one.unchecked = await peekMakers(units, book, one.draft, drafts.slice(0, index))
      for (let round = 1; left().length > 0; round += 1) {
        if (round > rounds) throw new AppError('BOOK_MOVED')
        note(await look(tenant, book, left()))
        const waiting = left()
        if (waiting.length === 0) break
        await openAccounts(
          tenant,
          waiting.map(({ draft }) => draft.party.holder),
        )
        const { done, blocked } = await attempt(tenant, caller, book, waiting, used)
        note(done)
        if ([...done.values()].some((outcome) => !isRefused(outcome))) isAnyTaken = true
        if (done.size > 0 && !tenant.joined) round = 0
        const next = waiting.find(({ place }) => place === blocked?.place)
        if (next) next.unchecked = blocked?.unchecked ?? []
      }
    } catch (error) {
      return { outcomes, isAnyTaken, failure: { error } }
    }
    return { outcomes, isAnyTaken }
  }

  /** Nothing is thrown any more once one of them is in the book, but what nobody has a word for. */
  async function submitAll(
    tenant: TenantDatabase,
    caller: Caller,
    book: OnchainBook,
    requests: readonly SignedRequest[],
  ): Promise<SignedOutcome[]> {
    const sent = requests.map((request) => ({ request }))
    const { outcomes, isAnyTaken, failure } = await place(tenant, caller, book, sent)
    const refusal = failure && asCommonRefusal(failure.error)
    if (failure && !(isAnyTaken && refusal)) throw failure.error
    return requests.map((_, place) => outcomes.get(place) ?? refusal ?? new AppError('BOOK_MOVED'))
  }

  /** Orders that were sent one by one: each hears of itself alone, and one that nobody can deal with fails alone. */
  async function submitEach(
    tenant: TenantDatabase,
    caller: Caller,
    book: OnchainBook,
    sent: readonly SentOrder[],
  ): Promise<PromiseSettledResult<PlacedSignedOrderRecord>[]> {
    const { outcomes, failure } = await place(tenant, caller, book, sent)
    const isOneByOne = failure && sent.length > 1 && !isOfAll(failure.error)
    const results: PromiseSettledResult<PlacedSignedOrderRecord>[] = []
    for (const [place, one] of sent.entries()) {
      const outcome = outcomes.get(place)
      if (outcome && !isRefused(outcome)) results.push({ status: 'fulfilled', value: outcome })
      else if (!outcome && isOneByOne) results.push(...(await submitEach(tenant, caller, book, [one])))
      else results.push({ status: 'rejected', reason: outcome ?? failure?.error ?? new AppError('BOOK_MOVED') })
    }
    return results
  }

  return { submitAll, submitEach }
}
