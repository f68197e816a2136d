import { type Database, DatabaseUnavailableError, type Grant, type Sql } from '../../platform/db/database.ts'
import { createGathering } from '../../platform/gathering.ts'
import { waited } from '../../platform/measure.ts'
import * as factStore from './group-facts.store.ts'
import type { AccountFacts, BookFacts, Looks } from './group-facts.ts'
import * as store from './lane.store.ts'
import type { LaneUnit } from './lane-facts.ts'
import type { FoundKey, LaneGroup } from './lane-rows.rules.ts'
import * as unitStore from './unit.store.ts'
import { synchronise } from './unit-memory.ts'

/** Where a lane stands, for whoever has it. */
export interface LaneHead {
  readonly laneId: string
  readonly epoch: bigint
  readonly sequence: bigint
}

/** A lane that was taken, and what a group of one of its units needs to know. All of one moment. */
export interface OwnedLane extends LaneHead {
  /** Where the memory of the unit is now. */
  readonly version: bigint
  readonly books: readonly BookFacts[]
  readonly accounts: readonly AccountFacts[]
  readonly balances: readonly { readonly holder: string; readonly tokenAddress: string; readonly available: bigint }[]
  readonly tokens: readonly string[]
}

export interface UsedId {
  readonly holder: string
  readonly clientOrderId: string
  readonly orderId: string
}

/** All that a lane asks of the database. Each is one transaction, and fails with DatabaseUnavailableError where nobody knows how it ended. */
export interface LaneJournal {
  /** Takes the lane and brings the memory of the unit to what is committed. Undefined: another process has it. */
  own(laneId: string, me: store.Owner, unit: LaneUnit, holders: readonly string[]): Promise<OwnedLane | undefined>
  /** Takes the lane without looking at anything. False: another process has it. */
  claim(laneId: string, me: store.Owner): Promise<boolean>
  /** Who has the lane now, and for how long at least. */
  owner(
    laneId: string,
  ): Promise<{ readonly name: string; readonly url: string | null; readonly leaseMs: number } | undefined>
  /** Gives up a lane that the process has. */
  leave(laneId: string, name: string): Promise<void>
  /** Says that a server matches, if it can be reached, and answers where others are that do. */
  meet(me: store.Owner): Promise<readonly string[]>
  /** It matches no longer. */
  quit(name: string): Promise<void>
  /** Compare-and-set on epoch and sequence. */
  commit(epoch: bigint, grants: readonly Grant[], group: LaneGroup): Promise<'COMMITTED' | 'MOVED' | 'STALE'>
  /** Whoever asks ends the epoch: a commit that is still on its way comes too late from then on. */
  wasCommitted(group: LaneGroup): Promise<boolean>
  /** For a group that wrote nothing: whether what it was refused on still holds, and every key still is what it was. */
  holds(seen: LaneHead, grants: readonly Grant[]): Promise<boolean>
  findKeys(
    laneId: string,
    asked: readonly { operation: string; key: string }[],
    now: Date,
  ): Promise<readonly FoundKey[]>
  findUsedIds(laneId: string, look: Looks): Promise<readonly UsedId[]>
  /** Makes rows of the next groups and moves the position, which it answers. */
  project(laneId: string): Promise<bigint>
  /** Undefined: nobody committed to the lane yet. */
  positions(laneId: string): Promise<{ readonly sequence: bigint; readonly projected: bigint } | undefined>
}

/** Journal entries that one transaction makes rows of: well within the time that a statement has. */
const LARGEST_PROJECTION = 2_000

export const createLaneJournal = (database: Database): LaneJournal => ({
  own: (laneId, me, { unitId, memory }, holders) =>
    database.as('tally_venue', async (sql) => {
      const look = { instanceId: laneId, holders, clientOrderIds: [] }
      const [, [owned]] = await Promise.all([
        store.nameLane(sql, laneId).execute(),
        waited('lane lock', store.ownLane(sql, me).execute()),
      ])
      if (!owned) return undefined
      const [, [row], missed, books, , accounts, balances, tokens] = await Promise.all([
        unitStore.nameUnit(sql, unitId).execute(),
        unitStore.lockUnit(sql, unitId).execute(),
        memory.state ? unitStore.readEntries(sql, unitId, memory.state.head.number).execute() : [],
        factStore.readBooks(sql, unitId).execute(),
        factStore.enterInstance(sql, laneId).execute(),
        factStore.readAccounts(sql, look).execute(),
        factStore.readBalances(sql, look).execute(),
        factStore.readTokens(sql, laneId).execute(),
      ] as const)
      if (!row) throw new Error(`there is no unit ${unitId}`)
      await unitStore.nameUnit(sql, unitId)
      const { version } = await synchronise(unitStore.entriesIn(sql, unitId), unitId, memory, row, missed)
      return {
        laneId,
        epoch: owned.epoch,
        sequence: owned.sequence,
        version,
        books,
        accounts,
        balances,
        tokens: tokens.map(({ tokenAddress }) => tokenAddress),
      }
    }),

  claim: (laneId, me) =>
    database.as('tally_venue', async (sql) => {
      const [, [owned]] = await Promise.all([
        store.nameLane(sql, laneId).execute(),
        waited('lane lock', store.ownLane(sql, me).execute()),
      ])
      return owned !== undefined
    }),

  async owner(laneId) {
    const [found] = await database.lane(laneId).run((sql) => store.readOwner(sql, laneId))
    return found
  },

  async leave(laneId, name) {
    await database.as('tally_lane', (sql) =>
      Promise.all([store.nameLane(sql, laneId).execute(), store.leaveLane(sql, name).execute()]),
    )
  },

  async meet(me) {
    const others = await database.as('tally_venue', (sql) => store.meetServers(sql, me))
    return others.map(({ url }) => url)
  },

  async quit(name) {
    await database.as('tally_venue', (sql) => store.quitServers(sql, name))
  },

  commit: createCommits(database),

  wasCommitted: ({ laneId, sequence, groupId }) =>
    database.as('tally_lane', async (sql) => {
      const [, , [found]] = await Promise.all([
        store.nameLane(sql, laneId).execute(),
        store.enterLane(sql).execute(),
        store.findGroup(sql, laneId, sequence).execute(),
      ])
      return found?.groupId === groupId
    }),

  async holds(seen, grants) {
    const [found] = await database.lane(seen.laneId).run((sql) => store.confirmSeen(sql, seen, grants))
    return found?.holds ?? false
  },

  findKeys: (laneId, asked, now) => database.lane(laneId).run((sql) => store.findKeys(sql, laneId, asked, now)),
  findUsedIds: (laneId, look) => database.lane(laneId).run((sql) => factStore.readUsedIds(sql, look)),

  project: (laneId) =>
    database.as('tally_lane', async (sql) => {
      const [, [done]] = await Promise.all([
        store.nameLane(sql, laneId).execute(),
        store.projectSome(sql, LARGEST_PROJECTION).execute(),
      ])
      return done?.position ?? 0n
    }),

  async positions(laneId) {
    const [row] = await database.lane(laneId).run((sql) => store.readPositions(sql, laneId))
    return row
  },
})

type Commit = LaneJournal['commit']
type Committed = Awaited<ReturnType<Commit>>

interface GroupCommit {
  readonly laneId: string
  readonly query: (sql: Sql) => ReturnType<typeof store.commitGroup>
}

/**
 * Groups that come while so many commits are on their way go together, in one transaction: sixteen lanes then wait for one flush of the disk
 * and not each for its own. No lane has two among them, since it commits one after the other.
 */
const COMMITS = { most: 50, atOnce: 2 }

function createCommits(database: Pick<Database, 'lanes'>): Commit {
  async function send(groups: readonly GroupCommit[]): Promise<PromiseSettledResult<Committed>[]> {
    try {
      const found = await database.lanes(groups)
      return groups.map((_, index) => ({ status: 'fulfilled', value: found[index]?.[0]?.outcome ?? 'MOVED' }))
    } catch (error) {
      // Nothing was committed, and it may be the fault of one of them. Of a connection that broke, each asks how its own ended.
      if (groups.length === 1 || error instanceof DatabaseUnavailableError)
        return groups.map(() => ({ status: 'rejected', reason: error }))
      const results: PromiseSettledResult<Committed>[] = []
      for (const group of groups) results.push(...(await send([group])))
      return results
    }
  }

  const gather = createGathering<GroupCommit, Committed>(COMMITS, send)
  return async (epoch, grants, group) => {
    const query = (sql: Sql) => store.commitGroup(sql, epoch, grants, group)
    return waited('journal', gather('all lanes', { laneId: group.laneId, query }))
  }
}

/** Inside a transaction that is open already: the lane is held until it ends. The role is as it was before. */
export async function enterLane(sql: Sql, laneId: string, role: string): Promise<void> {
  await Promise.all([
    store.nameLane(sql, laneId).execute(),
    waited('lane lock', store.enterLane(sql).execute()),
    store.takeRole(sql, role).execute(),
  ])
}
