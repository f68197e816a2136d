import type { SeededRandom } from '@tallystick/testkit'
import type { Clock } from '../../../src/platform/clock.ts'
import { type Database, DatabaseUnavailableError } from '../../../src/platform/db/database.ts'
import { createLog } from '../../../src/platform/log.ts'
import type { Random } from '../../../src/platform/random.ts'
import type { UnitRequest } from '../../../src/trading/unit/group.ts'
import type { LaneUnit } from '../../../src/trading/unit/lane-facts.ts'
import type { LaneJournal } from '../../../src/trading/unit/lane-journal.ts'
import { asUsed } from '../../../src/trading/unit/lane-keys.ts'
import { createLanes } from '../../../src/trading/unit/lanes.ts'
import { synchronise } from '../../../src/trading/unit/unit-memory.ts'
import type { Scheduler } from './scheduler.ts'
import type { PlantedFault, StoredLane } from './stored-lane.ts'

export interface SimulatedParts {
  readonly scheduler: Scheduler
  readonly random: SeededRandom
  readonly stored: StoredLane
  readonly planted?: PlantedFault | undefined
  /** Set: processes pass orders on to the one that has the lane. */
  readonly peers?: Peers | undefined
}

export interface SimulatedProcess {
  isDead(): boolean
  submit(unitId: string, request: UnitRequest<unknown>): Promise<unknown>
  /** What other processes passed on, so many. */
  take(unitId: string, request: UnitRequest<unknown>, hops: number): Promise<unknown>
  settled(): Promise<void>
  /** What readers see, once the rows show what was committed before. */
  read<T>(work: () => T): Promise<T>
  moveAside(holder: string, token: string, amount: bigint, holdMs: number): Promise<boolean>
  kill(): void
  sleep(milliseconds: number): void
  setTrouble(share: number): void
}

/** Processes that can be asked by others, each under a name of its own. A dead one stays known: nobody tells that it is no more. */
export interface Peers {
  readonly known: Map<string, SimulatedProcess>
  /** How many orders were passed on. */
  passed: number
}

const START = Date.UTC(2026, 0, 5)
const LARGEST_GROUP = 4
const NO_DATABASE = undefined as unknown as Database

export const clockOf = ({ elapsed }: Scheduler): Clock => ({ now: () => new Date(START + elapsed()) })

export const bytesFrom =
  (random: SeededRandom): Random =>
  (size) =>
    Buffer.from(random.hex(size).slice(2), 'hex')

/** How a question to the database ends. */
type Fate = 'answered' | 'never arrives' | 'answer is lost' | 'arrives late'

/** Few live for long here. */
const STAYS_AFTER_MS = 300
/** How many pass one order on, as in the product. */
const MOST_HOPS = 2
/** How often whoever passed an order on looks whether the other one still is the one to ask, as the product does. */
const LOOK_EVERY_MS = 250

/** One process: the real lanes, on a network that delays, loses and reorders, and on a machine that sleeps and dies. */
export function startProcess({ scheduler, random, stored, planted, peers }: SimulatedParts): SimulatedProcess {
  const url = peers && `process ${peers.known.size}`
  let isDead = false
  let asleepUntil = 0
  /** How much of what it asks goes wrong. */
  let trouble = 0

  /** Something happens in this process, if it is awake. */
  function deliver(work: () => void): void {
    if (isDead) return
    const rest = asleepUntil - scheduler.elapsed()
    if (rest > 0) scheduler.after(rest, () => deliver(work))
    else work()
  }

  const delivered = (work: () => Promise<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      deliver(() => void work().then(resolve, reject))
    })

  const travel = () => (random.chance(0.05) ? random.integer(20, 400) : random.integer(1, 10))

  function fateOf(): Fate {
    if (!random.chance(trouble)) return 'answered'
    return random.pick(['never arrives', 'answer is lost', 'arrives late'] as const)
  }

  /** `isPatient`: waits for whoever holds the lane. */
  function ask<T>(work: () => T, isPatient = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const fate = fateOf()
      const fail = () => deliver(() => reject(new DatabaseUnavailableError('the connection broke')))
      const perform = () => {
        const held = stored.heldUntil() - scheduler.elapsed()
        if (isPatient && held > 0) {
          scheduler.after(held, perform)
          return
        }
        try {
          const value = work()
          if (fate === 'answered') scheduler.after(travel(), () => deliver(() => resolve(value)))
        } catch (error) {
          if (fate === 'answered') scheduler.after(travel(), () => deliver(() => reject(error)))
        }
        if (fate === 'answer is lost') scheduler.after(travel(), fail)
      }
      if (fate === 'never arrives' || fate === 'arrives late') scheduler.after(travel(), fail)
      if (fate === 'arrives late') scheduler.after(random.integer(20, 6_000), perform)
      else if (fate !== 'never arrives') scheduler.after(travel(), perform)
    })
  }

  const journal: LaneJournal = {
    async own(_laneId, me, { unitId, memory }, holders) {
      const { entries } = stored.units.get(unitId) ?? { entries: [] }
      const found = await ask(() => {
        const owned = stored.own(me, unitId, holders)
        return owned && { owned, entries: [...entries] }
      }, true)
      if (!found) return undefined
      const { head, ...owned } = found.owned
      const after = async (number: number) => found.entries.slice(number)
      const { version } = await synchronise(
        { newestSnapshot: async () => undefined, entriesAfter: after },
        unitId,
        memory,
        head,
        memory.state ? found.entries.slice(memory.state.head.number) : [],
      )
      return { ...owned, version }
    },
    claim: (_laneId, me) => ask(() => stored.claim(me), true),
    owner: () => ask(() => stored.owner()),
    leave: (_laneId, name) => ask(() => stored.leave(name), true),
    meet: (me) => ask(() => stored.meet(me)),
    quit: (name) => ask(() => stored.quit(name)),
    commit(epoch, _grants, group) {
      if (planted !== 'answer before commit') return ask(() => stored.commit(epoch, group))
      const done = ask(() => stored.commit(epoch, group))
      done.catch(() => undefined)
      return Promise.resolve('COMMITTED')
    },
    wasCommitted: (group) => ask(() => stored.wasCommitted(group), true),
    holds: (seen) => ask(() => stored.holds({ ...seen })),
    findKeys: (_laneId, asked) => ask(() => stored.findKeys(asked)),
    findUsedIds: (_laneId, { holders, clientOrderIds }) =>
      ask(() =>
        holders.flatMap((holder) =>
          clientOrderIds.flatMap((clientOrderId) => {
            const orderId = stored.usedIds.get(`${holder}\n${clientOrderId}`)
            return orderId === undefined ? [] : [{ holder, clientOrderId, orderId }]
          }),
        ),
      ),
    project: (_laneId) =>
      ask(() => {
        const position = stored.project(random.integer(1, 3))
        // In another transaction, which may be lost.
        if (planted === 'position apart' && !random.chance(0.2)) stored.movePosition(position)
        return position
      }, true),
    positions: () => ask(() => ({ sequence: stored.lane.sequence, projected: stored.projected() })),
  }

  const clock = clockOf(scheduler)
  const parts = { clock, random: bytesFrom(random) }
  const lanes = createLanes({
    ...parts,
    database: NO_DATABASE,
    log: createLog({ level: 'silent' }),
    timers: { elapsed: scheduler.elapsed, after: (ms, work) => scheduler.after(ms, () => deliver(work)) },
    journal,
    peerUrl: url,
    staysAfterMs: STAYS_AFTER_MS,
  })
  const units = new Map<string, LaneUnit>(
    [...stored.units.keys()].map((unitId) => [unitId, { unitId, memory: { state: undefined } }]),
  )

  interface Waiting {
    readonly unitId: string
    readonly request: UnitRequest<unknown>
    resolve(value: unknown): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  let isRunning = false

  /** Orders that the lane does not take run in a transaction each. */
  async function transact({ unitId, request, resolve, reject }: Waiting): Promise<void> {
    try {
      const done = await ask(() => stored.transact(unitId, request, parts), true)
      if (done.used) throw asUsed(done.used)
      if (done.outcome && 'value' in done.outcome) resolve(done.outcome.value)
      else throw done.outcome?.error
    } catch (error) {
      reject(error)
    }
  }

  async function serve(group: readonly Waiting[]): Promise<void> {
    const unit = units.get(group[0]?.unitId ?? '')
    if (!unit) throw new Error('there is no such unit')
    const outcomes = await lanes.run(
      stored.laneId,
      unit,
      group.map(({ request }) => request),
    )
    if (!outcomes) for (const one of group) await transact(one)
    group.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes?.[index]
      if (outcome && 'value' in outcome) resolve(outcome.value)
      else if (outcome) reject(outcome.error)
    })
  }

  /** One group at a time, as all units of a lane take turns in one process. */
  async function drain(): Promise<void> {
    if (isRunning) return
    isRunning = true
    while (waiting.length > 0) {
      const unitId = waiting[0]?.unitId
      const size = waiting.findIndex((one) => one.unitId !== unitId)
      const group = waiting.splice(0, Math.min(size < 0 ? waiting.length : size, LARGEST_GROUP))
      await serve(group).catch((error) => {
        for (const { reject } of group) reject(error)
      })
    }
    isRunning = false
  }

  const serveHere = (unitId: string, request: UnitRequest<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      deliver(() => {
        waiting.push({ unitId, request, resolve, reject })
        void drain()
      })
    })

  /** What the other one answers. Undefined: it is not there, and got nothing. */
  function pass(
    to: string,
    other: SimulatedProcess | undefined,
    unitId: string,
    request: UnitRequest<unknown>,
    hops: number,
  ) {
    return new Promise<{ value: unknown } | undefined>((resolve, reject) => {
      const fate = fateOf()
      let isOver = false
      const end = (how: () => void) => {
        isOver = true
        deliver(how)
      }
      const lost = () => end(() => reject(new DatabaseUnavailableError('the server that has the ledger was lost')))
      const look = () =>
        deliver(() => {
          if (isOver) return
          lanes.stillAnswers(stored.laneId, to).then(
            (isWorthIt) => (isWorthIt ? scheduler.after(LOOK_EVERY_MS, look) : lost()),
            () => scheduler.after(LOOK_EVERY_MS, look),
          )
        })
      scheduler.after(travel(), () => {
        if (!other || other.isDead()) {
          end(() => resolve(undefined))
          return
        }
        scheduler.after(LOOK_EVERY_MS, look)
        if (fate === 'never arrives') return
        const back = (how: () => void) => {
          if (fate === 'answered') scheduler.after(travel(), () => end(how))
        }
        scheduler.after(fate === 'arrives late' ? random.integer(20, 6_000) : 0, () =>
          other.take(unitId, request, hops).then(
            (value) => back(() => resolve({ value })),
            (error) => back(() => reject(error)),
          ),
        )
      })
    })
  }

  async function serveBest(unitId: string, request: UnitRequest<unknown>, hops: number): Promise<unknown> {
    const at = peers && hops < MOST_HOPS ? await lanes.servedAt(stored.laneId, hops > 0) : undefined
    if (!peers || at === undefined || at === url) return serveHere(unitId, request)
    peers.passed += 1
    let answer: { value: unknown } | undefined
    try {
      answer = await pass(at, peers.known.get(at), unitId, request, hops + 1)
    } finally {
      if (!answer) lanes.isGone(stored.laneId, at)
    }
    if (answer) return answer.value
    return serveHere(unitId, request)
  }

  const itself: SimulatedProcess = {
    isDead: () => isDead,
    take: (unitId, request, hops) => delivered(() => serveBest(unitId, request, hops)),
    submit: (unitId, request) => delivered(() => serveBest(unitId, request, 0)),
    settled: () => lanes.settled(stored.laneId),
    read: (work) => ask(work),
    moveAside: (holder, token, amount, holdMs) =>
      ask(() => {
        const isMoved = stored.moveAside(holder, token, amount)
        if (holdMs > 0) stored.holdFor(holdMs)
        return isMoved
      }, true),
    kill(): void {
      isDead = true
    },
    sleep(milliseconds: number): void {
      asleepUntil = scheduler.elapsed() + milliseconds
    },
    setTrouble(share: number): void {
      trouble = share
    },
  }
  if (url) peers?.known.set(url, itself)
  return itself
}
