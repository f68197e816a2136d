import type { Depth, MakerView, Place } from '@tallystick/engine'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Sql, TenantDatabase } from '../../platform/db/database.ts'
import { translated } from '../../platform/db/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import type { Outcome, UnitRequest } from './group.ts'
import { createKnownUnits, type KnownUnit } from './known-units.ts'
import { createLanes } from './lanes.ts'
import { createUnitLooks } from './unit-looks.ts'
import { createUnitQueues } from './unit-queues.ts'
import { createUnitSnapshots } from './unit-snapshots.ts'
import { createUnitTransactions } from './unit-transactions.ts'

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

/** The nil uuid names no instance. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * The matching units of this process. Commands that arrive while a group commits form the next one. Any number of processes may serve
 * one unit: its row lock orders their groups, and each catches up from the journal with what it missed.
 */
export function createUnitsService({ database, clock, random, log, onCommitted, ...options }: UnitsParts) {
  const { peerUrl, orderServers, snapshotEvery, longestWaitMs, largestGroup } = options
  const units = createKnownUnits()
  const lanes = createLanes({ database, clock, random, log, peerUrl, orderServers, onCommitted })
  const transactions = createUnitTransactions({ database, clock, random, lanes, onCommitted })
  const snapshots = createUnitSnapshots({ database, clock, log, lanes, every: snapshotEvery })
  const queues = createUnitQueues({ clock, log, longestWaitMs, largestGroup, commit, onServed: snapshots.keep })
  const { lookNow, stateHash } = createUnitLooks({ database, clock, known: units.of, expireDue })

  /** Orders of a lane in its journal, everything else in a transaction. */
  async function commit(unit: KnownUnit, requests: readonly UnitRequest<unknown>[]): Promise<Outcome<unknown>[]> {
    const { laneId } = unit
    const outcomes =
      laneId && requests.every(({ isOrder }) => isOrder) ? await lanes.run(laneId, unit, requests) : undefined
    return outcomes ?? transactions.run(unit, requests)
  }

  async function laneUnitOf(unitId: string): Promise<KnownUnit> {
    const unit = units.of(unitId)
    unit.laneId ??= (await lanes.laneOfUnit(unitId)) ?? null
    return unit
  }

  /**
   * In a transaction that is opened when it is its turn: were it open before, those who wait for a busy book would hold every connection
   * there is.
   */
  function runJoined<T>(open: () => Promise<Sql>, unitId: string, request: UnitRequest<T>): Promise<T> {
    const unit = units.of(unitId)
    return queues.exclusively(unit, async () => transactions.join(await open(), unit, request))
  }

  /** Ends the orders of a unit that are due, if there are any. Our own work: nobody asked for it. */
  async function expireDue(unitId: string): Promise<void> {
    const looks = { instanceId: NOBODY, holders: [], clientOrderIds: [] }
    const request = { grant: null, looks, isOrder: true, perform: () => undefined }
    await queues.add(await laneUnitOf(unitId), request)
  }

  return {
    /** Waits until the rows of an instance show everything that was committed before the call. */
    settled: lanes.settled,
    /** Which server has the ledger of an instance in its memory. */
    servedBest: { at: lanes.servedAt, stillAnswers: lanes.stillAnswers, isGone: lanes.isGone },
    /** For whoever writes a ledger, or what its orders rely on, in a transaction: before it looks at anything. */
    enterLane: lanes.enter,
    /** Makes rows of what processes left behind that are no more. */
    projectLeft: lanes.projectLeft,
    /** Once nothing more is asked of this process. */
    leaveLanes: lanes.leaveAll,
    /** Until the rows show everything that this process committed, and nothing is being stored beside them. */
    async drain(): Promise<void> {
      await lanes.drain()
      await snapshots.stored()
    },

    runInside: <T>(sql: Sql, unitId: string, request: UnitRequest<T>) => runJoined(async () => sql, unitId, request),

    /** Answers after the commit; with a transaction open already, in that one. */
    async submit<T>(
      tenant: Pick<TenantDatabase, 'joined'> & Partial<Pick<TenantDatabase, 'onceCommitted'>>,
      unitId: string,
      request: UnitRequest<T>,
    ): Promise<T> {
      const { joined } = tenant
      if (!joined) return queues.add(await laneUnitOf(unitId), request)
      // The transaction is somebody else's, who is told by the names that are known outside of the database.
      const value = await translated(() => runJoined(joined, unitId, request))
      await tenant.onceCommitted?.(async () => onCommitted?.(unitId))
      return value
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

    /**
     * Where an order rests that a ledger backs, as far as this process knows, once the group under way is over. It may have ended elsewhere
     * meanwhile: its turn will tell.
     */
    async restingOrder(
      laneId: string,
      orderId: string,
    ): Promise<{ readonly unitId: string; readonly account: string } | undefined> {
      for (const { unitId, memory } of units.ofLane(laneId)) {
        await memory.inUse?.over
        const order = memory.state?.isCommitted ? memory.state.engine.order(orderId) : null
        if (order) return { unitId, account: order.account }
      }
      return undefined
    },

    look: lookNow,

    expireDue,

    stateHash,

    /** Forgets what is in memory. */
    forget: units.forget,
  }
}

export type UnitsService = ReturnType<typeof createUnitsService>
