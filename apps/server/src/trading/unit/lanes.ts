import { exact } from '@tallystick/engine'
import type { Clock } from '../../platform/clock.ts'
import { type Database, DatabaseUnavailableError, type Grant, type Sql } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import { systemTimers, type Timers } from '../../platform/timers.ts'
import { fundsOf, isOrderWork, type Outcome, performGroup, type UnitRequest, type Work } from './group.ts'
import { gather, type Looks } from './group-facts.ts'
import * as store from './lane.store.ts'
import { LEASE_MS } from './lane.store.ts'
import {
  coversGroup,
  emptyFacts,
  factsOfGroup,
  type LaneFacts,
  type LaneUnit,
  nameOfId,
  nameOfKey,
  remember,
} from './lane-facts.ts'
import { createLaneHomes } from './lane-homes.ts'
import { createLaneJournal, enterLane, type LaneJournal } from './lane-journal.ts'
import { asUsed, keepingKey } from './lane-keys.ts'
import { createLaneOwners, type Holding } from './lane-owners.ts'
import type { KeptKey, LaneGroup } from './lane-rows.rules.ts'
import { setBalance } from './money.rules.ts'
import { createOrderServers } from './order-servers.ts'
import { accountOf } from './party.rules.ts'
import { createProjector } from './projector.ts'
import { giveBack, takeIntoUse } from './unit-memory.ts'

interface LanesParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly timers?: Timers
  /** Where other servers of the deployment reach this one. */
  readonly peerUrl?: string | undefined
  /** Servers that match where this one does not: it takes no lane, and one that nobody has is theirs. */
  readonly orderServers?: readonly string[] | undefined
  /** How long another server has been there before lanes that belong to it are left to it. */
  readonly staysAfterMs?: number
  /** What the lanes ask of the database; by default, of this one. */
  readonly journal?: LaneJournal
  /** Told after a commit that changed the unit, never inside of it. */
  readonly onCommitted?: ((unitId: string) => void) | undefined
}

interface Lane {
  readonly laneId: string
  /** Whom the database knows this process as here. Another one each time it leaves: a word that it leaves may come late, and ends no later lease. */
  name: string
  epoch: bigint
  sequence: bigint
  /** Undefined: what was known is worth nothing any more. */
  facts: LaneFacts | undefined
  /** By our own clock, and earlier than the database says. */
  leasedUntil: number
  /** The group under way. */
  running: Promise<unknown> | undefined
  /** Orders that rest, or can still come back, by unit: as its last group left them. */
  readonly resting: Map<string, number>
  /** When others moved the lane under us, newest last. */
  readonly lost: number[]
}

/** Journal entries that may wait to become rows. Beyond it, orders wait too. */
const FURTHEST_BEHIND = 10_000
/** Somebody else moved the lane so often within this time: for the same time, nobody matches in memory. */
const LOST_OFTEN = 3
const LOST_WITHIN_MS = 5_000
const REMEMBERED_UNITS = 10_000

const grantsOf = (requests: readonly UnitRequest<unknown>[]): Grant[] => [
  ...new Map(requests.flatMap(({ grant }) => (grant ? [[grant.keyId, grant] as const] : []))).values(),
]

/**
 * The lanes that this process matches in memory. A group is performed on what is remembered and committed with one statement, which the
 * database refuses when anybody else moved the lane meanwhile; then it is run in a transaction, like everything that is no order.
 */
export function createLanes({ database, clock, random, log, onCommitted, ...parts }: LanesParts) {
  const { timers = systemTimers, journal = createLaneJournal(database) } = parts
  const me = { name: newId(clock, random), url: parts.peerUrl }
  const projector = createProjector({ journal, timers, log })
  const lanes = new Map<string, Lane>()
  const orderServers = createOrderServers(parts.orderServers ?? [], timers)
  const homes = createLaneHomes({ journal, timers, me, staysAfterMs: parts.staysAfterMs })
  const holding: Holding = { isOurs, drop, nameIn: (laneId) => laneOf(laneId).name }
  const owners = createLaneOwners({ journal, timers, url: me.url, orderServers, homes, holding })
  const laneIds = new Map<string, string | null>()

  function laneOf(laneId: string): Lane {
    let lane = lanes.get(laneId)
    if (!lane) {
      lane = {
        laneId,
        name: newId(clock, random),
        epoch: 0n,
        sequence: 0n,
        facts: undefined,
        leasedUntil: 0,
        running: undefined,
        resting: new Map(),
        lost: [],
      }
      lanes.set(laneId, lane)
    }
    return lane
  }

  /** Null: trades of the unit settle on chain. Undefined: there is no such unit yet. */
  async function findLaneOf(
    unitId: string,
    read: () => Promise<{ laneId: string | null; isFinal: boolean }[]>,
  ): Promise<string | null | undefined> {
    const known = laneIds.get(unitId)
    if (known !== undefined) return known
    const [found] = await read()
    if (found?.isFinal) {
      if (laneIds.size >= REMEMBERED_UNITS) laneIds.clear()
      laneIds.set(unitId, found.laneId)
    }
    return found?.laneId
  }

  const isContended = ({ lost }: Lane): boolean => {
    const first = lost.at(-LOST_OFTEN)
    return first !== undefined && first > timers.elapsed() - LOST_WITHIN_MS
  }

  function forget(lane: Lane): void {
    lane.facts = undefined
    lane.leasedUntil = 0
  }

  function lose(lane: Lane): void {
    forget(lane)
    lane.lost.push(timers.elapsed())
    if (lane.lost.length > LOST_OFTEN) lane.lost.shift()
  }

  /** Takes the lane, if nobody else has it, and reads what a group needs to know. Undefined: somebody else has it. */
  async function readUp(lane: Lane, unit: LaneUnit, looks: readonly Looks[]): Promise<LaneFacts | undefined> {
    const { laneId } = lane
    const holders = looks.flatMap((look) => look.holders).filter((holder) => !lane.facts?.accounts.has(holder))
    const asked = timers.elapsed()
    const owned = await journal.own(laneId, { name: lane.name, url: me.url }, unit, holders)
    if (!owned) return undefined
    const isKnown = lane.epoch === owned.epoch && lane.sequence === owned.sequence
    const facts = (isKnown ? lane.facts : undefined) ?? emptyFacts()
    facts.units.set(unit.unitId, {
      books: new Map(owned.books.map((book) => [book.bookId, book])),
      version: owned.version,
    })
    for (const holder of holders) facts.accounts.set(holder, null)
    for (const account of owned.accounts) facts.accounts.set(account.holder, account)
    for (const { holder, tokenAddress, available } of owned.balances)
      setBalance(facts.balances, accountOf({ instanceId: laneId, holder }), tokenAddress, exact(available))
    for (const tokenAddress of owned.tokens) facts.tokens.add(tokenAddress)
    lane.facts = facts
    lane.epoch = owned.epoch
    lane.sequence = owned.sequence
    lane.leasedUntil = asked + LEASE_MS
    projector.found(laneId, owned.sequence)
    return facts
  }

  /** What a group may rely on. Undefined: the lane is somebody else's, or others moved it while it was read. */
  async function factsOf(lane: Lane, unit: LaneUnit, looks: readonly Looks[]): Promise<LaneFacts | undefined> {
    if (lane.facts && coversGroup(lane.facts, unit, looks)) return lane.facts
    const read = await readUp(lane, unit, looks)
    return read && coversGroup(read, unit, looks) ? read : undefined
  }

  /** Ids that orders used before, of those that a group brings. */
  async function readUsedIds(laneId: string, looks: readonly Looks[]): Promise<ReadonlyMap<string, string>> {
    const used = new Map<string, string>()
    for (const look of gather(looks)) {
      if (look.clientOrderIds.length === 0) continue
      const rows = await journal.findUsedIds(laneId, look)
      for (const { holder, clientOrderId, orderId } of rows) used.set(nameOfId(holder, clientOrderId), orderId)
    }
    return used
  }

  /** How those requests end whose keys were used before, by key. */
  async function readKeys(
    laneId: string,
    facts: LaneFacts,
    requests: readonly UnitRequest<unknown>[],
  ): Promise<ReadonlyMap<string, Outcome<unknown>>> {
    const ended = new Map<string, Outcome<unknown>>()
    const asked = requests.flatMap(({ once }) => (once ? [{ operation: once.operation, key: once.key }] : []))
    if (asked.length === 0) return ended
    const found = await journal.findKeys(laneId, asked, clock.now())
    for (const one of found) ended.set(nameOfKey(one), { error: asUsed(one) })
    for (const one of asked) {
      const kept = facts.keys.get(nameOfKey(one))
      if (kept) ended.set(nameOfKey(one), { error: asUsed(kept.value) })
    }
    return ended
  }

  function groupOf(lane: Lane, unitId: string, work: Work, keys: readonly KeptKey[]): LaneGroup {
    const { fold, funds, state, at, entries } = work
    if (funds.kind !== 'ledger') throw new Error('a lane has a ledger')
    return {
      laneId: lane.laneId,
      sequence: lane.sequence + 1n,
      groupId: newId(clock, random),
      unit: entries.length > 0 ? { unitId, version: state.version + 1n, headHash: state.head.hash } : null,
      at,
      entries,
      orders: [...fold.orders.values()],
      changes: [...fold.changes.values()],
      trades: fold.trades,
      days: [...fold.days.values()],
      balances: funds.money.changes.filter(({ available, reserved }) => available !== 0 || reserved !== 0),
      usedIds: fold.clientOrderIds,
      keys,
    }
  }

  /** False: somebody else moved the lane, or a key is not what it was. */
  async function commit(lane: Lane, grants: readonly Grant[], group: LaneGroup): Promise<boolean> {
    try {
      return (await journal.commit(lane.epoch, grants, group)) === 'COMMITTED'
    } catch (error) {
      forget(lane)
      if (!(error instanceof DatabaseUnavailableError)) throw error
      // The connection broke at the commit: the row of the group tells how it ended.
      return journal.wasCommitted(group)
    }
  }

  /** What was performed becomes true, or is forgotten. False: forgotten. */
  async function settle(
    lane: Lane,
    facts: LaneFacts,
    unitId: string,
    work: Work,
    keys: readonly KeptKey[],
    grants: readonly Grant[],
  ): Promise<boolean> {
    const { laneId } = lane
    if (work.entries.length === 0 && keys.length === 0) {
      const holds = await journal.holds(lane, grants)
      if (!holds) forget(lane)
      return holds
    }
    const group = groupOf(lane, unitId, work, keys)
    const sentAt = timers.elapsed()
    if (!(await commit(lane, grants, group))) {
      lose(lane)
      return false
    }
    if (group.unit) work.state.version = group.unit.version
    lane.sequence = group.sequence
    if (lane.facts === facts) {
      lane.leasedUntil = sentAt + LEASE_MS
      remember(facts, group, projector.projected(laneId))
    }
    // An answer that was kept is about as much to write as an entry.
    const entries = work.entries.length + keys.length
    projector.committed(laneId, { sequence: group.sequence, entries })
    if (group.unit) onCommitted?.(unitId)
    return true
  }

  async function runGroup(
    lane: Lane,
    unit: LaneUnit,
    requests: readonly UnitRequest<unknown>[],
  ): Promise<Outcome<unknown>[] | undefined> {
    const { laneId } = lane
    const { unitId, memory } = unit
    if (orderServers.doMatch || isContended(lane)) return undefined
    await projector.leftAtMost(laneId, FURTHEST_BEHIND)
    const looks = requests.map((request) => request.looks)
    const facts = await factsOf(lane, unit, looks)
    if (!facts) return undefined
    const [used, ended] = await Promise.all([readUsedIds(laneId, looks), readKeys(laneId, facts, requests)])
    const { state } = memory
    // Somebody who looked, or a transaction of this process, may have been there meanwhile.
    if (!state || lane.facts !== facts || !coversGroup(facts, unit, looks) || memory.inUse) return undefined
    const endedOf = ({ once }: UnitRequest<unknown>) => once && ended.get(nameOfKey(once))
    const left = requests.filter((request) => !endedOf(request))
    takeIntoUse(memory)
    memory.state = undefined
    try {
      const known = factsOfGroup(laneId, facts, unitId, used)
      const keys = new Map<string, KeptKey>()
      const keeping = left.map((request) => keepingKey(request, keys))
      const funds = fundsOf(known, undefined, [])
      const { work, outcomes } = performGroup(state, known, funds, keeping, new Set(), { clock, random })
      if (!isOrderWork(work) || !(await settle(lane, facts, unitId, work, [...keys.values()], grantsOf(requests))))
        return undefined
      memory.state = state
      lane.resting.set(unitId, state.engine.size())
      const byRequest = new Map(left.map((request, index) => [request, outcomes[index]]))
      return requests.map(
        (request) => endedOf(request) ?? byRequest.get(request) ?? { error: new Error('a request got no outcome') },
      )
    } finally {
      giveBack(memory)
    }
  }

  /** Undefined: it has to run in a transaction. */
  async function run(
    laneId: string,
    unit: LaneUnit,
    requests: readonly UnitRequest<unknown>[],
  ): Promise<Outcome<unknown>[] | undefined> {
    const lane = laneOf(laneId)
    const running = runGroup(lane, unit, requests)
    lane.running = running.catch(() => undefined)
    try {
      const outcomes = await running
      if (outcomes) owners.served(laneId, () => restingIn(lane))
      return outcomes
    } finally {
      lane.running = undefined
    }
  }

  function isOurs(laneId: string): boolean {
    const lane = lanes.get(laneId)
    return lane?.facts !== undefined && lane.leasedUntil > timers.elapsed()
  }

  async function drop(laneId: string): Promise<string | undefined> {
    const lane = laneOf(laneId)
    while (lane.running) await lane.running
    if (!isOurs(laneId)) return undefined
    const { name } = lane
    forget(lane)
    lane.name = newId(clock, random)
    return name
  }

  const restingIn = ({ resting }: Lane): number => [...resting.values()].reduce((sum, count) => sum + count, 0)

  /** Waits until the rows of an instance show everything that was committed before the call. */
  async function settled(laneId: string): Promise<void> {
    await (isOurs(laneId) ? projector.written(laneId) : projector.writtenByAnybody(laneId))
  }

  return {
    run,
    settled,
    servedAt: owners.servedAt,
    stillAnswers: owners.stillAnswers,
    isGone: owners.isGone,
    /** Others may take what this process has, and need not wait until its leases are over. */
    async leaveAll(): Promise<void> {
      if (me.url !== undefined) await journal.quit(me.name)
      for (const laneId of lanes.keys()) {
        const name = await drop(laneId)
        if (name !== undefined) await journal.leave(laneId, name)
      }
    },

    /** Until nothing is left of what this process committed. */
    drain: projector.drain,

    laneOfUnit: (unitId: string) =>
      findLaneOf(unitId, () => database.unit(unitId).read((sql) => store.findLane(sql, unitId))),
    laneOfUnitIn: (sql: Sql, unitId: string) => findLaneOf(unitId, async () => store.findLane(sql, unitId)),

    /** Inside a transaction that writes beside the journal, before it looks at anything. The role is as it was before. */
    async enter(sql: Sql, laneId: string): Promise<void> {
      const [before] = await store.readRole(sql)
      // Entered already: whoever waited for its rows here would wait for itself.
      if (before?.laneId === laneId) return
      const lane = lanes.get(laneId)
      if (lane) {
        // What is left to be written is better not written by a transaction that others wait for.
        await projector.written(laneId)
        forget(lane)
      }
      await enterLane(sql, laneId, before?.role ?? '')
      await database.hurry(sql)
    },

    /** What owners left behind that are no more. Answers how many groups the lane had that was furthest behind. */
    async projectLeft(): Promise<number> {
      const behind = await database.as('tally_operator', (sql) => store.listBehind(sql))
      // One that cannot be served does not stop the others.
      const ends = await Promise.allSettled(behind.map(({ laneId }) => settled(laneId)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      return Math.max(0, ...behind.map(({ left }) => left))
    },
  }
}

export type Lanes = ReturnType<typeof createLanes>
