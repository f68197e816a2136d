import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectSuperuser } from '../../test/superuser.ts'
import { createWorld, type World } from '../../test/world.ts'
import { keepHouse } from './housekeeping.service.ts'

const HOUR_MS = 60 * 60 * 1000
let world: World
let superuser: Sql

beforeAll(async () => {
  world = await createWorld()
  superuser = connectSuperuser(world.databaseUrl)
})
afterAll(async () => {
  await superuser.end()
  await world.close()
})

it('removes stored answers and challenges of all instances once no request can use them, and nothing sooner', async () => {
  const instances = [await world.createInstance(), await world.createInstance()]
  for (const instance of instances) {
    const answer = await instance.call('POST', '/access/api/wallets/challenge', {
      body: { address: `0x${'1'.repeat(40)}` },
      headers: { 'idempotency-key': 'kept-for-a-day' },
    })
    expect(answer.status).toBe(200)
  }
  const left = async () => {
    const [row] = await superuser`
      select (select count(*)::int from wallet_challenges) as challenges, (select count(*)::int from idempotency_keys) as answers`
    return row
  }
  expect(await keepHouse(world.database, world.clock)).toBe(0)
  world.clock.advance(HOUR_MS)
  expect(await keepHouse(world.database, world.clock)).toBe(2)
  expect(await left()).toEqual({ challenges: 0, answers: 2 })
  world.clock.advance(23 * HOUR_MS)
  expect(await keepHouse(world.database, world.clock)).toBe(2)
  expect(await left()).toEqual({ challenges: 0, answers: 0 })
})
