import { isDeepStrictEqual } from 'node:util'
import { seededRandom } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placePlainly } from '../../../test/trading/lane-simulation/plain-order.ts'
import {
  createStoredLane,
  type StoredLane,
  type StoredUnit,
} from '../../../test/trading/lane-simulation/stored-lane.ts'
import { createOffchainWorld, OFFCHAIN, type OffchainWorld, ONE } from '../../../test/trading/offchain-world.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import { AppError } from '../../platform/app-error.ts'
import { createLog } from '../../platform/log.ts'
import { systemRandom } from '../../platform/random.ts'
import type { UnitRequest } from './group.ts'
import * as factStore from './group-facts.store.ts'
import type { LaneUnit } from './lane-facts.ts'
import { createLaneJournal, type LaneJournal } from './lane-journal.ts'
import type { LaneGroup } from './lane-rows.rules.ts'
import { createLanes } from './lanes.ts'

const STEPS = 120
/** The second is all that the text of a row has to escape. */
const CUSTOMERS = ['anna', 'b"e\\r (t), {ü}']

describe('the journal of a lane', () => {
  let world: OffchainWorld
  let venue: Venue
  let model: StoredLane
  let last: LaneGroup | undefined
  const random = seededRandom(4)

  beforeAll(async () => {
    world = await createOffchainWorld()
    venue = startVenue(world)
    const books = [await world.createBook(), await world.createBook()]
    for (const customer of CUSTOMERS)
      for (const { base, quote } of books)
        for (const token of [base, quote]) await world.credit(customer, token, 50n * ONE)
    await world.superuser`update lanes set lease_until = '-infinity'`
    model = await modelOf(world)
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
  })

  /** The simulated database with what is in the real one. */
  async function modelOf({ superuser, instance: { instanceId } }: OffchainWorld): Promise<StoredLane> {
    const units = new Map<string, StoredUnit>()
    for (const { unitId, version } of await superuser<{ unitId: string; version: string }[]>`
      select unit_id as "unitId", version::text from matching_units`) {
      const [book] = await factStore.readBooks(superuser as never, unitId)
      const entries = await superuser<{ number: number; body: string; hash: string }[]>`
        select sequence::int as number, entry as body, hash from unit_journal where unit_id = ${unitId} order by sequence`
      if (!book) throw new Error('a unit without a book')
      units.set(unitId, { book, version: BigInt(version), entries: [...entries] })
    }
    const accounts = await superuser<{ accountId: string; holder: string }[]>`
      select account_id as "accountId", holder from trading_accounts where instance_id = ${instanceId}`
    const stored = createStoredLane(instanceId, units, accounts, () => performance.now())
    for (const { holder, token, available } of await balancesIn(superuser))
      stored.moveAside(holder, token, BigInt(available))
    const [lane] = await superuser`select epoch::text, sequence::text from lanes`
    Object.assign(stored.lane, { epoch: BigInt(lane?.epoch), sequence: BigInt(lane?.sequence) })
    return stored
  }

  const balancesIn = (superuser: OffchainWorld['superuser']) => superuser<
    { holder: string; token: string; available: string; reserved: string }[]
  >`
    select holder, token_address as token, available::text, reserved::text from ledger_balances order by 1, 2`

  /** Asks both, and answers what the database says. */
  function comparing(real: LaneJournal): LaneJournal {
    const same = <T>(what: string, said: T, expected: unknown): T => {
      expect(said, what).toEqual(expected)
      return said
    }
    return {
      async own(laneId, me, unit, holders) {
        const owned = await real.own(laneId, me, unit, holders)
        const simulated = model.own(me, unit.unitId, holders)
        same('own', owned?.epoch, simulated?.epoch)
        same('own', owned?.sequence, simulated?.sequence)
        same('own', owned?.version, simulated?.head.version)
        const byName = (one: { holder: string; tokenAddress?: string }) => `${one.holder} ${one.tokenAddress}`
        const sorted = <T extends { holder: string }>(rows: readonly T[] = []) =>
          [...rows].sort((a, b) => (byName(a) < byName(b) ? -1 : 1))
        same('balances', sorted(owned?.balances), sorted(simulated?.balances))
        same('accounts', sorted(owned?.accounts), sorted(simulated?.accounts))
        same('tokens', [...(owned?.tokens ?? [])].sort(), [...(simulated?.tokens ?? [])].sort())
        return owned
      },
      claim: async (laneId, me) => same('claim', await real.claim(laneId, me), model.claim(me)),
      async leave(laneId, name) {
        await real.leave(laneId, name)
        model.leave(name)
        same('left', (await real.owner(laneId))?.name, model.owner()?.name)
      },
      meet: async (me) => {
        const there = await real.meet(me)
        return same('there', [...there].sort(), model.meet(me).sort())
      },
      async quit(name) {
        await real.quit(name)
        model.quit(name)
      },
      async owner(laneId) {
        const found = await real.owner(laneId)
        same('owner', [found?.name, found?.url], [model.owner()?.name, model.owner()?.url])
        return found
      },
      async commit(epoch, grants, group) {
        last = group
        return same('commit', await real.commit(epoch, grants, group), model.commit(epoch, group))
      },
      wasCommitted: async (group) => same('was it', await real.wasCommitted(group), model.wasCommitted(group)),
      holds: async (seen, grants) => same('holds', await real.holds({ ...seen }, grants), model.holds(seen)),
      findKeys: async (laneId, asked, now) =>
        same('keys', await real.findKeys(laneId, asked, now), model.findKeys(asked)),
      findUsedIds: real.findUsedIds,
      async project(laneId) {
        const position = await real.project(laneId)
        // Never beyond what the database made rows of: it takes as many groups at once as it likes.
        while (model.projected() < position) model.project(1)
        return same('project', position, model.projected())
      },
      async positions(laneId) {
        const said = await real.positions(laneId)
        return same('positions', said, { sequence: model.lane.sequence, projected: model.projected() })
      },
    }
  }

  function startLanes() {
    const { database } = venue
    const journal = comparing(createLaneJournal(database))
    const parts = { database, clock: world.clock, random: systemRandom, log: createLog({ level: 'silent' }) }
    const units = new Map<string, LaneUnit>(
      [...model.units.keys()].map((unitId) => [unitId, { unitId, memory: { state: undefined } }]),
    )
    return { lanes: createLanes({ ...parts, journal }), units, journal }
  }

  const requestOf = (unitId: string, customer: string, orderId: string): UnitRequest<unknown> => {
    const [instanceId, holder] = [world.instance.instanceId, `offchain:${customer}`]
    const order = {
      unitId,
      holder,
      side: random.pick(['BUY', 'SELL'] as const),
      price: random.integer(9, 11) * Number(ONE),
      quantity: random.integer(1, 4) * Number(ONE),
      clientOrderId: random.chance(0.3) ? `id"\\,(${random.integer(1, 20)})` : null,
    }
    return {
      grant: null,
      looks: { instanceId, holders: [holder], clientOrderIds: order.clientOrderId ? [order.clientOrderId] : [] },
      isOrder: true,
      perform: (turn) => placePlainly(turn, instanceId, orderId, order),
    }
  }

  it('is what the simulation takes it for', async () => {
    const processes = [startLanes(), startLanes()]
    const { instanceId } = world.instance
    const seen = { committed: 0, refused: 0, left: 0, moved: 0 }
    for (let step = 0; step < STEPS; step += 1) {
      const which = random.integer(0, 1)
      const { lanes, units, journal } = processes[which] ?? startLanes()
      const what = random.next()
      const unitId = random.pick([...units.keys()])
      const unit = units.get(unitId)
      const customer = random.pick(CUSTOMERS)
      if (what < 0.6 && unit) {
        const orderId = `00000000-0000-4000-8000-${String(step).padStart(12, '0')}`
        const [outcome] = (await lanes.run(instanceId, unit, [requestOf(unitId, customer, orderId)])) ?? []
        if (!outcome) seen.left += 1
        else if ('value' in outcome) seen.committed += 1
        else if (outcome.error instanceof AppError) seen.refused += 1
        else throw outcome.error
      } else if (what < 0.7) {
        await world.superuser`update lanes set lease_until = '-infinity'`
        model.lane.leaseUntil = -1
      } else if (what < 0.85) {
        const token = random.pick(model.tokens)
        const amount = BigInt(random.integer(1, 20)) * ONE
        const isCredit = random.chance(0.5)
        const { status } = await world.instance.call('POST', `${OFFCHAIN}/ledger/${isCredit ? 'credit' : 'debit'}`, {
          body: { customerRef: customer, tokenAddress: token, amount: String(amount) },
        })
        expect(model.moveAside(`offchain:${customer}`, token, isCredit ? amount : -amount)).toBe(status === 200)
        seen.moved += 1
      } else if (what < 0.9 && last) {
        await journal.wasCommitted(random.chance(0.5) ? last : { ...last, groupId: instanceId })
      } else if (what < 0.95) await lanes.settled(instanceId)
      else processes[which] = startLanes()
      await Promise.all(processes.map((one) => one.lanes.drain()))
      await processes[which]?.lanes.servedAt(instanceId)
      await processes[which]?.lanes.settled(instanceId)
    }
    const rows = (await balancesIn(world.superuser)).filter((row) => row.available !== '0' || row.reserved !== '0')
    const simulated = [...model.balances].flatMap(([name, { available, reserved }]) => {
      const [holder, token] = name.split('\n')
      return available || reserved ? [{ holder, token, available: String(available), reserved: String(reserved) }] : []
    })
    const sorted = (all: readonly object[]) => [...all].map((one) => JSON.stringify(one)).sort()
    expect(sorted(rows)).toEqual(sorted(simulated))
    for (const [unitId, { entries }] of model.units) {
      const stored = await world.superuser`
        select sequence::int as number, entry as body, hash from unit_journal where unit_id = ${unitId} order by sequence`
      expect(isDeepStrictEqual([...stored], entries)).toBe(true)
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })
})
