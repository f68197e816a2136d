import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import { DatabaseBusyError, DatabaseUnavailableError } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { grouped, queued } from '../../platform/measure.ts'
import type { Outcome, UnitRequest } from './group.ts'
import type { KnownUnit, Waiting } from './known-units.ts'
import { createLockTurns } from './lock-turns.ts'

/** More would only make the first one wait longer. */
const LARGEST_GROUP = 500
const LONGEST_WAIT_MS = 5_000

interface QueueParts {
  readonly clock: Clock
  readonly log: Log
  /** A request that waited longer for its turn is not done any more: whoever sent it has been told something else by now. */
  readonly longestWaitMs: number | undefined
  /** Orders that one commit takes at most. */
  readonly largestGroup: number | undefined
  /** Does a group and commits it: an outcome for each. */
  readonly commit: (unit: KnownUnit, requests: readonly UnitRequest<unknown>[]) => Promise<Outcome<unknown>[]>
  /** Told when a group is over. */
  readonly onServed: (unit: KnownUnit) => void
}

function answer({ resolve, reject }: Waiting, outcome: Outcome<unknown> | undefined): void {
  if (outcome && 'value' in outcome) resolve(outcome.value)
  else reject(outcome?.error ?? new Error('a request got no outcome'))
}

/** Requests of a unit in the order they came. Those that arrive while a group commits form the next one. */
export function createUnitQueues({ clock, log, commit, onServed, ...bounds }: QueueParts) {
  const { longestWaitMs = LONGEST_WAIT_MS, largestGroup = LARGEST_GROUP } = bounds
  const inTurn = createLockTurns()

  /** All together; when that fails, each for itself, so that the one that cannot be done fails alone. */
  async function serve(unit: KnownUnit, group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commit(
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

  function refuseOverdue({ waiting }: KnownUnit): void {
    const earliest = clock.now().getTime() - longestWaitMs
    while (waiting[0] && waiting[0].since < earliest) {
      queued(-1)
      waiting.shift()?.reject(new DatabaseBusyError('a book was held up for too long'))
    }
  }

  /** What a group of those who wait would lock, beside the unit itself. */
  async function serveNext(unit: KnownUnit): Promise<void> {
    const instances = new Set(unit.waiting.map(({ request }) => request.looks.instanceId))
    const { laneId } = unit
    const locks = [...new Set([...instances, ...(laneId ? [laneId] : []), ...(unit.custody ? [unit.custody] : [])])]
    await inTurn(locks, async () => {
      refuseOverdue(unit)
      const group = takeGroup(unit.waiting, instances)
      grouped(group.length)
      if (group.length > 0) await serve(unit, group)
    })
    onServed(unit)
  }

  async function drain(unit: KnownUnit): Promise<void> {
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

  return {
    /** Resolves after the commit of the group that the request was in. */
    add<T>(unit: KnownUnit, request: UnitRequest<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queued(1)
        const since = clock.now().getTime()
        unit.waiting.push({ request, since, resolve: resolve as (value: unknown) => void, reject })
        void drain(unit)
      })
    },

    /** Between two groups. */
    exclusively<T>(unit: KnownUnit, work: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        unit.exclusive.push(() => work().then(resolve, reject))
        void drain(unit)
      })
    },
  }
}
