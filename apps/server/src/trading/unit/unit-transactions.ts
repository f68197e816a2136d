import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import { type Database, DatabaseUnavailableError, type Sql } from '../../platform/db/database.ts'
import { NotKeptOnce } from '../../platform/once.ts'
import type { Random } from '../../platform/random.ts'
import { type GroupResult, type Outcome, runGroup, type UnitRequest } from './group.ts'
import type { KnownUnit } from './known-units.ts'
import type { Lanes } from './lanes.ts'
import * as store from './unit.store.ts'
import { giveBack } from './unit-memory.ts'

interface TransactionParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly lanes: Pick<Lanes, 'enter' | 'settled' | 'laneOfUnitIn'>
  readonly onCommitted: ((unitId: string) => void) | undefined
}

const RESOLVE_ATTEMPTS = 5
const RESOLVE_PAUSE_MS = 200

/** Groups of requests in a transaction: their own, or one that somebody else commits. */
export function createUnitTransactions({ database, clock, random, lanes, onCommitted }: TransactionParts) {
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

  /** A group in a transaction of its own. */
  async function runOwn(unit: KnownUnit, requests: readonly UnitRequest<unknown>[]): Promise<Outcome<unknown>[]> {
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
      if (!(await wasCommitted(unitId, done.version, done.groupId))) return runOwn(unit, requests)
    } finally {
      giveBack(memory)
    }
    if (!done) throw new Error('a group ended without an outcome')
    unit.custody = done.custody
    if (done.groupId) onCommitted?.(unitId)
    return done.outcomes
  }

  return {
    /** In a transaction nobody keeps a key: whoever sent one claims it, and comes again. */
    async run(unit: KnownUnit, requests: readonly UnitRequest<unknown>[]): Promise<Outcome<unknown>[]> {
      const plain = requests.filter(({ once }) => !once)
      const outcomes = plain.length > 0 ? await runOwn(unit, plain) : []
      const byRequest = new Map(plain.map((request, index) => [request, outcomes[index]]))
      // So that a key that was kept in the journal is found by whoever claims it.
      if (plain.length < requests.length && unit.laneId) await lanes.settled(unit.laneId)
      return requests.map((request) => byRequest.get(request) ?? { error: new NotKeptOnce() })
    },

    /** In one that somebody else commits. The memory is ahead until then; the head hash tells the next group how it ended. */
    async join<T>(sql: Sql, { unitId, memory }: KnownUnit, request: UnitRequest<T>): Promise<T> {
      const [before] = await sql<{ role: string; instance: string }[]>`
        select current_user as role, coalesce(current_setting('tally.instance_id', true), '') as instance`
      await store.nameUnit(sql, unitId)
      const laneId = await lanes.laneOfUnitIn(sql, unitId)
      if (laneId) await lanes.enter(sql, laneId)
      const { outcomes, state } = await runGroup(sql, unitId, memory, [request], { clock, random }).finally(() =>
        giveBack(memory),
      )
      memory.state = state
      state.isCommitted = false
      await sql`
        select set_config('role', ${before?.role ?? ''}, true), set_config('tally.instance_id', ${before?.instance ?? ''}, true)`
      const [outcome] = outcomes
      if (outcome && 'value' in outcome) return outcome.value as T
      throw outcome?.error
    },
  }
}
