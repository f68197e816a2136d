import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUSY_MACHINE } from '../../../test/busy-machine.ts'
import { createOffchainWorld, type OffchainWorld } from '../../../test/trading/offchain-world.ts'
import { createDatabase, type Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { systemRandom } from '../../platform/random.ts'
import { createLaneJournal, type LaneJournal } from './lane-journal.ts'
import type { KeptKey, LaneGroup } from './lane-rows.rules.ts'

const LANES = 6

describe('groups of several lanes that are committed at once', () => {
  let world: OffchainWorld
  let database: Database
  let journal: LaneJournal
  const laneIds: string[] = []

  beforeAll(async () => {
    world = await createOffchainWorld()
    database = createDatabase({
      url: world.databaseUrl,
      poolSize: 6,
      applicationName: 'tally-lanes',
      ...BUSY_MACHINE.database,
    })
    journal = createLaneJournal(database)
    while (laneIds.length < LANES) {
      const { instanceId } = await world.createInstance()
      expect(await journal.claim(instanceId, { name: 'me', url: undefined })).toBe(true)
      laneIds.push(instanceId)
    }
  })
  afterAll(async () => {
    await database.close()
    await world.close()
  })

  const groupOf = (laneId: string, sequence: bigint, keys: readonly KeptKey[] = []): LaneGroup => ({
    laneId,
    sequence,
    groupId: newId(world.clock, systemRandom),
    unit: null,
    at: world.clock.now(),
    entries: [],
    orders: [],
    changes: [],
    trades: [],
    days: [],
    balances: [],
    usedIds: [],
    keys,
  })

  const keyWith = (body: string): KeptKey => ({
    operation: 'submitOffchainOrder',
    key: 'a-key-of-a-lane',
    fingerprint: 'ab'.repeat(32),
    status: 200,
    body,
  })

  const sequences = async () => {
    const rows = await world.superuser`
      select l.lane_id as id, l.sequence::int, (select count(*)::int from lane_groups g where g.lane_id = l.lane_id) as groups from lanes l`
    return laneIds.map((laneId) => {
      const row = rows.find(({ id }) => id === laneId)
      return [row?.sequence, row?.groups]
    })
  }

  it('are each held against their own lane', async () => {
    const outcomes = await Promise.all(
      laneIds.map((laneId, index) => journal.commit(1n, [], groupOf(laneId, index === 4 ? 7n : 1n))),
    )
    expect(outcomes).toEqual(['COMMITTED', 'COMMITTED', 'COMMITTED', 'COMMITTED', 'MOVED', 'COMMITTED'])
    expect(await sequences()).toEqual(laneIds.map((_, index) => (index === 4 ? [0, 0] : [1, 1])))
  })

  it('fail alone where they cannot be written', async () => {
    const before = await sequences()
    const ends = await Promise.allSettled(
      laneIds.map((laneId, index) => {
        const body = index === 3 ? 'no database takes a \u0000' : '{"answer":"Zürich"}'
        return journal.commit(1n, [], groupOf(laneId, BigInt(before[index]?.[0] ?? 0) + 1n, [keyWith(body)]))
      }),
    )
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'FAILED'))).toEqual([
      'COMMITTED',
      'COMMITTED',
      'COMMITTED',
      'FAILED',
      'COMMITTED',
      'COMMITTED',
    ])
    expect(await sequences()).toEqual(before.map(([at = 0], index) => (index === 3 ? [at, at] : [at + 1, at + 1])))
  })

  it('keep the answer of a key byte for byte', async () => {
    const [laneId = ''] = laneIds
    await journal.project(laneId)
    const [found] = await journal.findKeys(laneId, [keyWith('')], world.clock.now())
    expect(found).toEqual(keyWith('{"answer":"Zürich"}'))
  })
})
