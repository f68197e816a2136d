import { setTimeout as sleep } from 'node:timers/promises'
import type { Depth, MakerView, Place } from '@tallystick/engine'
import type { Clock } from '../../platform/clock.ts'
import {
  type Database,
  DatabaseBusyError,
  DatabaseUnavailableError,
  type Sql,
  type TenantDatabase,
} from '../../platform/db/database.ts'
import { translated } from '../../platform/db/errors.ts'
import type { Log } from '../../platform/log.ts'
import { grouped, queued } from '../../platform/measure.ts'
import { NotKeptOnce } from '../../platform/once.ts'
import type { Random } from '../../platform/random.ts'
import { type GroupResult, type Outcome, runGroup, type UnitRequest } from './group.ts'
import { createLanes } from './lanes.ts'
import { createLockTurns } from './lock-turns.ts'
import * as store from './unit.store.ts'
import { giveBack, refreshMemory, type UnitMemory, type UnitState } from './unit-memory.ts'

export interface UnitsParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Entries after which the state is stored, so that nobody replays more than this. */
  readonly snapshotEvery?: number
  /** A request that waited longer for its turn is not done any more: whoever sent it has been told something else by now. */
  readonly longestWaitMs?: number
  /** Orders that one commit takes at most. */
  readonly largestGroup?: number
  /** Where other servers of the deployment reach this one. */
  readonly peerUrl?: string | undefined
  /** Servers that match where this one does not. */
  readonly orderServers?: readonly string[] | undefined
  /** Told after a commit that changed the unit, never inside of it. */
  readonly onCommitted?: (unitId: string) => void
}

interface Waiting {
  readonly request: UnitRequest<unknown>
  readonly since: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Unit {
  readonly unitId: string
  readonly memory: UnitMemory
  readonly waiting: Waiting[]
  /** Work inside a transaction that is open already. */
  readonly exclusive: (() => Promise<void>)[]
  running: boolean
  /** The how manieth use of any unit it was. */
  lastUse: number
  /** Whose reservations its groups lock, once one of them has told. */
  custody: string | undefined
  /** The instance whose ledger backs it; null: its trades settle on chain. Undefined until it was asked for. */
  laneId: string | null | undefined
  refreshing: Promise<void> | undefined
  snapshotAt: number
}

/** More would only make the first one wait longer. */
const LARGEST_GROUP = 500
/** Entries of the journal: a server that takes a book over does again what came after the last one, about thirty thousand a second. */
const SNAPSHOT_EVERY = 10_000
/** A snapshot holds every order there is. Of a large book it is taken less often, so that an order costs the same in a book of any size. */
const ENTRIES_PER_ORDER_HELD = 0.5
/** Units that are kept in memory at once. */
const REMEMBERED_UNITS = 1_000
const LONGEST_WAIT_MS = 5_000
/** How long somebody who looks waits for a commit of this process before everything is read again. */
const LOOK_PAUSE_MS = 10
const LOOK_ATTEMPTS = 100
/** The nil uuid names no instance. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
const RESOLVE_ATTEMPTS = 5
const RESOLVE_PAUSE_MS = 200

const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Whoever has orders for this or another book is served between two parts. */
async function written(parts: Iterable<string>): Promise<string> {
  const texts: string[] = []
  for (const part of parts) {
    texts.push(part)
    await turnOfLoop()
  }
  return texts.join('')
}

function answer({ resolve, reject }: Waiting, outcome: Outcome<unknown> | undefined): void {
  if (outcome && 'value' in outcome) resolve(outcome.value)
  else reject(outcome?.error ?? new Error('a request got no outcome'))
}

/**
 * The matching units of this process. Commands that arrive while a group commits form the next one. Any number of processes may serve
 * one unit: its row lock orders their groups, and each catches up from the journal with what it missed.
 */
export function createUnitsService({ database, clock, random, log, onCommitted, ...options }: UnitsParts) {
  const units = new Map<string, Unit>()
  let uses = 0
  /** Those that are being stored, by unit. */
  const snapshots = new Map<string, Promise<void>>()
  const snapshotEvery = options.snapshotEvery ?? SNAPSHOT_EVERY
  const longestWaitMs = options.longestWaitMs ?? LONGEST_WAIT_MS
  const largestGroup = options.largestGroup ?? LARGEST_GROUP
  const inTurn = createLockTurns()
  const { peerUrl, orderServers } = options
  const lanes = createLanes({ database, clock, random, log, peerUrl, orderServers, onCommitted })

  /** The idle one that was used longest ago. Looked for only when there are too many: to keep them in order would cost every request something. */
  function forgetOldest(): void {
    let oldest: Unit | undefined
    for (const unit of units.values())
      if (!unit.running && unit.lastUse < (oldest?.lastUse ?? Number.POSITIVE_INFINITY)) oldest = unit
    if (oldest) units.delete(oldest.unitId)
  }

  function unitOf(unitId: string): Unit {
    let unit = units.get(unitId)
    if (!unit) {
      unit = {
        unitId,
        memory: { state: undefined },
        waiting: [],
        exclusive: [],
        running: false,
        lastUse: 0,
        custody: undefined,
        laneId: undefined,
        refreshing: undefined,
        snapshotAt: 0,
      }
      if (units.size >= REMEMBERED_UNITS) forgetOldest()
      units.set(unitId, unit)
    }
    uses += 1
    unit.lastUse = uses
    return unit
  }

  async function laneUnitOf(unitId: string): Promise<Unit> {
    const unit = unitOf(unitId)
    unit.laneId ??= (await lanes.laneOfUnit(unitId)) ?? null
    return unit
  }

  /** Orders of a lane in its journal, everything else in a transaction. */
  async function commitGroup(unit: Unit, requests: readonly UnitRequest<unknown>[]): Promise<Outcome<unknown>[]> {
    const { laneId } = unit
    const outcomes =
      laneId && requests.every(({ isOrder }) => isOrder) ? await lanes.run(laneId, unit, requests) : undefined
    return outcomes ?? transactAll(unit, requests)
  }

  /** In a transaction nobody keeps a key: whoever sent one claims it, and comes again. */
  async function transactAll(unit: Unit, requests: readonly UnitRequest<unknown>[]): Promise<Outcome<unknown>[]> {
    const plain = requests.filter(({ once }) => !once)
    const outcomes = plain.length > 0 ? await transactGroup(unit, plain) : []
    const byRequest = new Map(plain.map((request, index) => [request, outcomes[index]]))
    // So that a key that was kept in the journal is found by whoever claims it.
    if (plain.length < requests.length && unit.laneId) await lanes.settled(unit.laneId)
    return requests.map((request) => byRequest.get(request) ?? { error: new NotKeptOnce() })
  }

  /** A group in a transaction of its own. */
  async function transactGroup(unit: Unit, requests: readonly UnitRequest<unknown>[]): Promise<Outcome<unknown>[]> {
    const { unitId, memory, laneId } = unit
    let done: GroupResult | undefined
    try {
      await database.as('tally_venue', async (sql) => {
        if (laneId) await lanes.enter(sql, laneId)
        done = await runGroup(sql, unitId, memory, requests, { clock, random })
      })
      memory.state = done?.state
    } catch (error) {
      memory.state = undefined
      // Nothing was written, or it is known that nothing was committed.
      if (!done?.groupId || !(error instanceof DatabaseUnavailableError)) throw error
      if (!(await wasCommitted(unitId, done.version, done.groupId))) return transactGroup(unit, requests)
    } finally {
      giveBack(memory)
    }
    if (!done) throw new Error('a group ended without an outcome')
    unit.custody = done.custody
    if (done.groupId) onCommitted?.(unitId)
    return done.outcomes
  }

  /** The connection broke at the commit: the row of the group tells how it ended. */
  async function wasCommitted(unitId: string, version: bigint, groupId: string): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await database.as('tally_venue', async (sql) => {
          await store.nameUnit(sql, unitId)
          // Waits until the lost transaction has ended one way or the other.
          await store.lockUnit(sql, unitId)
          const [found] = await store.findGroup(sql, unitId, version)
          return found?.groupId === groupId
        })
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError) || attempt === RESOLVE_ATTEMPTS) throw error
        await sleep(RESOLVE_PAUSE_MS)
      }
    }
  }

  /** All together; when that fails, each for itself, so that the one that cannot be done fails alone. */
  async function serve(unit: Unit, group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commitGroup(
        unit,
        group.map(({ request }) => request),
      )
      group.forEach((one, index) => {
        answer(one, outcomes[index])
      })
    } catch (error) {
      // One by one they would wait for the same thing once more each.
      const isLost = error instanceof DatabaseUnavailableError || error instanceof DatabaseBusyError
      if (group.length === 1 || isLost) {
        for (const { reject } of group) reject(error)
        return
      }
      log.warn({ err: error, unit: unit.unitId, requests: group.length }, 'a group failed; its requests run singly')
      for (const one of group) await serve(unit, [one])
    }
  }

  /** The first ones that fit, at least one, as long as the locks they need are those whose turn it is. */
  function takeGroup(waiting: Waiting[], instances: ReadonlySet<string>): Waiting[] {
    let [count, weight] = [0, 0]
    for (const { request } of waiting) {
      weight += request.weight ?? 1
      if ((count > 0 && weight > largestGroup) || !instances.has(request.looks.instanceId)) break
      count += 1
    }
    return waiting.splice(0, count)
  }

  function refuseOverdue({ waiting }: Unit): void {
    const earliest = clock.now().getTime() - longestWaitMs
    while (waiting[0] && waiting[0].since < earliest) {
      queued(-1)
      waiting.shift()?.reject(new DatabaseBusyError('a book was held up for too long'))
    }
  }

  /** What a group of those who wait would lock, beside the unit itself. */
  async function serveNext(unit: Unit): Promise<void> {
    const instances = new Set(unit.waiting.map(({ request }) => request.looks.instanceId))
    const { laneId } = unit
    const locks = [...new Set([...instances, ...(laneId ? [laneId] : []), ...(unit.custody ? [unit.custody] : [])])]
    await inTurn(locks, async () => {
      refuseOverdue(unit)
      const group = takeGroup(unit.waiting, instances)
      grouped(group.length)
      if (group.length > 0) await serve(unit, group)
    })
    keepSnapshot(unit)
  }

  async function drain(unit: Unit): Promise<void> {
    if (unit.running) return
    unit.running = true
    try {
      while (unit.waiting.length > 0 || unit.exclusive.length > 0) {
        for (const work of unit.exclusive.splice(0)) await work()
        // Whatever the same turn of the loop brought joins the group.
        await turnOfLoop()
        if (unit.waiting.length > 0) await serveNext(unit)
      }
    } finally {
      unit.running = false
    }
  }

  /** Of the state as it is now. Orders do not wait until it is stored: the rows that it waits for may take long. One at a time. */
  function keepSnapshot(unit: Unit): void {
    const { state } = unit.memory
    if (!state || snapshots.has(unit.unitId)) return
    const entries = state.head.number - unit.snapshotAt
    if (entries < Math.max(snapshotEvery, state.engine.size() * ENTRIES_PER_ORDER_HELD)) return
    unit.snapshotAt = state.head.number
    snapshots.set(
      unit.unitId,
      storeSnapshot(unit, state).finally(() => snapshots.delete(unit.unitId)),
    )
  }

  async function storeSnapshot(unit: Unit, state: UnitState): Promise<void> {
    const { number: sequence, hash } = state.head
    try {
      const text = await written(state.engine.snapshotParts())
      // Nobody may find a state that leads beyond the rows of its journal.
      if (unit.laneId) await lanes.settled(unit.laneId)
      await database.as('tally_venue', async (sql) => {
        await store.nameUnit(sql, unit.unitId)
        await store.insertSnapshot(sql, unit.unitId, { sequence, state: text, hash }, clock.now())
      })
    } catch (error) {
      // Only the next start is slower for it.
      log.warn({ err: error, unit: unit.unitId }, 'a snapshot could not be stored')
    }
  }

  function exclusively<T>(unit: Unit, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      unit.exclusive.push(() => work().then(resolve, reject))
      void drain(unit)
    })
  }

  /**
   * Inside a transaction that somebody else commits. The memory is ahead until then; the head hash tells the next group how it ended. The
   * transaction is opened when it is its turn: were it open before, those who wait for a busy book would hold every connection there is.
   */
  async function runJoined<T>(open: () => Promise<Sql>, unitId: string, request: UnitRequest<T>): Promise<T> {
    const unit = unitOf(unitId)
    return exclusively(unit, async () => {
      const sql = await open()
      const [before] = await sql<{ role: string; instance: string }[]>`
        select current_user as role, coalesce(current_setting('tally.instance_id', true), '') as instance`
      await store.nameUnit(sql, unitId)
      const laneId = await lanes.laneOfUnitIn(sql, unitId)
      if (laneId) await lanes.enter(sql, laneId)
      const { outcomes, state } = await runGroup(sql, unitId, unit.memory, [request], { clock, random }).finally(() =>
        giveBack(unit.memory),
      )
      unit.memory.state = state
      state.isCommitted = false
      await sql`
        select set_config('role', ${before?.role ?? ''}, true), set_config('tally.instance_id', ${before?.instance ?? ''}, true)`
      const [outcome] = outcomes
      if (outcome && 'value' in outcome) return outcome.value as T
      throw outcome?.error
    })
  }

  /** Several who look at once read once. */
  function refresh(unit: Unit): Promise<void> {
    unit.refreshing ??= refreshMemory(database.unit(unit.unitId), unit.unitId, unit.memory).finally(() => {
      unit.refreshing = undefined
    })
    return unit.refreshing
  }

  /**
   * Shows what is committed, at least up to the version that the caller read. Waits for a group of this process that is being written, for
   * nobody else: whoever holds the unit elsewhere does not keep anybody from looking. `show` does not wait, so nothing changes meanwhile.
   */
  async function look<T>(unitId: string, readVersion: bigint, show: (state: Readonly<UnitState>) => T): Promise<T> {
    const unit = unitOf(unitId)
    const { memory } = unit
    for (let attempt = 1; attempt <= LOOK_ATTEMPTS; attempt += 1) {
      const { state, inUse } = memory
      if (state?.isCommitted && state.version >= readVersion) return show(state)
      if (inUse) await inUse.over
      else await refresh(unit)
      if (memory.state && !memory.state.isCommitted) await sleep(LOOK_PAUSE_MS)
    }
    // A transaction of this process has not ended in all that time: what it left in memory is worth nothing to those who look.
    const aside: UnitMemory = { state: undefined }
    await refreshMemory(database.unit(unitId), unitId, aside)
    if (!aside.state) throw new Error(`unit ${unitId} could not be read`)
    return show(aside.state)
  }

  /** Ends the orders of a unit that are due, if there are any. Our own work: nobody asked for it. */
  async function expireDue(unitId: string): Promise<void> {
    const unit = await laneUnitOf(unitId)
    await new Promise<unknown>((resolve, reject) => {
      const looks = { instanceId: NOBODY, holders: [], clientOrderIds: [] }
      queued(1)
      const request = { grant: null, looks, isOrder: true, perform: () => undefined }
      unit.waiting.push({ request, since: clock.now().getTime(), resolve, reject })
      void drain(unit)
    })
  }

  /**
   * The same for whoever is shown a book: an order that is past its time is ended first, whether or not somebody swept since. What is
   * shown and the place in the journal that is shown with it then agree.
   */
  async function lookNow<T>(unitId: string, readVersion: bigint, show: (state: Readonly<UnitState>) => T): Promise<T> {
    const seen = await look(unitId, readVersion, (state) => {
      const due = state.engine.nextExpiry()
      return due !== null && due <= clock.now().getTime() ? null : { value: show(state) }
    })
    if (seen) return seen.value
    await expireDue(unitId)
    return look(unitId, readVersion, show)
  }

  return {
    /** Waits until the rows of an instance show everything that was committed before the call. */
    settled: lanes.settled,
    /** Which server has the ledger of an instance in its memory. */
    servedBest: { at: lanes.servedAt, isGone: lanes.isGone },
    /** For whoever writes a ledger, or what its orders rely on, in a transaction: before it looks at anything. */
    enterLane: lanes.enter,
    /** Makes rows of what processes left behind that are no more. */
    projectLeft: lanes.projectLeft,
    /** Until the rows show everything that this process committed, and nothing is being stored beside them. */
    async drain(): Promise<void> {
      await lanes.drain()
      await Promise.all(snapshots.values())
    },

    runInside: <T>(sql: Sql, unitId: string, request: UnitRequest<T>) => runJoined(async () => sql, unitId, request),

    /** Answers after the commit; with a transaction open already, in that one. */
    async submit<T>(
      tenant: Pick<TenantDatabase, 'joined'> & Partial<Pick<TenantDatabase, 'onceCommitted'>>,
      unitId: string,
      request: UnitRequest<T>,
    ): Promise<T> {
      if (tenant.joined) {
        const { joined } = tenant
        // The transaction is somebody else's, who is told by the names that are known outside of the database.
        const value = await translated(() => runJoined(joined, unitId, request))
        await tenant.onceCommitted?.(async () => onCommitted?.(unitId))
        return value
      }
      const unit = await laneUnitOf(unitId)
      return new Promise<T>((resolve, reject) => {
        queued(1)
        unit.waiting.push({
          request,
          since: clock.now().getTime(),
          resolve: resolve as (value: unknown) => void,
          reject,
        })
        void drain(unit)
      })
    },

    /** Only what is committed: a version that the caller read, or a later one. */
    async depth(
      unitId: string,
      bookId: string,
      levels: number,
      readVersion: bigint,
    ): Promise<{ depth: Depth; sequence: number; headHash: string }> {
      return lookNow(unitId, readVersion, ({ engine, head }) => {
        const depth = engine.depth(bookId, levels)
        if (!depth) throw new Error(`unit ${unitId} holds no book ${bookId}`)
        return { depth, sequence: head.number, headHash: head.hash }
      })
    },

    /** Whom an order would meet if it came in now. Others may come in between: ask again when it is its turn. */
    async makersFor(unitId: string, command: Place, readVersion: bigint): Promise<readonly MakerView[]> {
      return lookNow(unitId, readVersion, ({ engine }) => engine.makersFor(command))
    },

    look: lookNow,

    expireDue,

    /** For checks: the hash of the whole state, replayed from the journal if need be. */
    async stateHash(unitId: string): Promise<string> {
      await refresh(unitOf(unitId))
      return look(unitId, 0n, ({ engine }) => engine.stateHash())
    },

    /** Forgets what is in memory. */
    forget(unitId: string): void {
      units.delete(unitId)
    },
  }
}

export type UnitsService = ReturnType<typeof createUnitsService>
