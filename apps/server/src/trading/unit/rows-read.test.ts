import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOffchainWorld, OFFCHAIN, type OffchainWorld, ONE } from '../../../test/trading/offchain-world.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { TestInstance } from '../../../test/world.ts'

const GROWTH = 10_000
const ROUNDS = 8

/** A database chooses how it finds a row by what it last counted. Whatever that was, an order is found by its id, and a balance by its holder. */
describe('the rows that are read for an order', () => {
  let world: OffchainWorld
  let venue: Venue
  let sent = 0

  beforeAll(async () => {
    world = await createOffchainWorld()
    // It counts when a test says so.
    await world.superuser`alter table orders set (autovacuum_enabled = off)`
  })
  afterAll(() => world.close())
  beforeEach(() => {
    venue = startVenue(world)
    return () => venue.close()
  })

  /** Sells and buys, with what has to be found for it: the order that rests, its account, its balances, and by its id what became of it. */
  async function tradingOf(instance: TestInstance) {
    const book = await world.createBook({}, instance)
    await book.fund('anna', 'bert')
    const { caller, tenant } = await venue.as(instance)
    async function place(customerRef: string, side: 'BUY' | 'SELL'): Promise<string> {
      sent += 1
      const { order } = await venue.orders.submit(tenant, caller, book.id, {
        customerRef,
        side,
        orderType: 'LIMIT',
        price: String(ONE),
        quantity: String(ONE),
        clientOrderId: `sent-${sent}`,
      })
      // Else one projection writes the order as its trade leaves it.
      await venue.units.drain()
      return order.id
    }
    async function trade(): Promise<void> {
      const orderId = await place('anna', 'SELL')
      await place('bert', 'BUY')
      const { body } = await instance.call('GET', `${OFFCHAIN}/orders/${orderId}`)
      expect(body.data.status).toBe('FILLED')
    }
    async function tradeOften(): Promise<void> {
      for (let round = 0; round < ROUNDS; round += 1) await trade()
    }
    /** Others traded meanwhile. */
    async function grow(): Promise<void> {
      await world.superuser`
        insert into orders (unit_id, order_id, book_id, instance_id, account_id, holder, side, order_type, price, quantity, filled_quantity,
          status, time_in_force, post_only, stp_mode, sequence, created_at, updated_at)
        select unit_id, gen_random_uuid(), book_id, instance_id, account_id, holder, side, order_type, price, quantity, filled_quantity,
          status, time_in_force, post_only, stp_mode, sequence, created_at, updated_at
        from generate_series(1, ${GROWTH}), (select * from orders where unit_id = ${book.id} and status = 'FILLED' limit 1) o`
      await world.superuser`
        insert into ledger_balances (instance_id, holder, token_address, updated_at)
        select ${instance.instanceId}, 'offchain:other-' || n, ${book.base}, now() from generate_series(1, ${GROWTH}) n`
      await world.superuser`
        insert into client_order_ids (instance_id, account_id, client_order_id, order_id)
        select a.instance_id, a.account_id, 'other-' || n, gen_random_uuid() from generate_series(1, ${GROWTH}) n,
          (select * from trading_accounts where holder = 'offchain:anna' and instance_id = ${instance.instanceId} limit 1) a`
    }
    async function rowsRead(): Promise<number> {
      // A connection tells what it read with the first commit of a new second.
      await sleep(1_100)
      await world.superuser`select pg_stat_force_next_flush()`
      await trade()
      const [row] = await world.superuser`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables
        where relname in ('orders', 'ledger_balances', 'client_order_ids', 'trading_accounts', 'unit_entries')`
      return row?.read
    }
    return { tradeOften, grow, rowsRead }
  }

  it('are no more when its tables have grown', async () => {
    const { tradeOften, grow, rowsRead } = await tradingOf(await world.createInstance())
    // The tables are young, and every statement gets the plan that it keeps.
    await tradeOften()
    await grow()
    const before = await rowsRead()
    await tradeOften()
    expect((await rowsRead()) - before).toBeLessThan(GROWTH / 10)
  })

  it('are no more for an instance that came after the database last counted', async () => {
    const early = await tradingOf(await world.createInstance())
    await early.tradeOften()
    await early.grow()
    await world.superuser`vacuum analyze`
    const { tradeOften, grow, rowsRead } = await tradingOf(await world.createInstance())
    await tradeOften()
    await grow()
    const before = await rowsRead()
    await tradeOften()
    expect((await rowsRead()) - before).toBeLessThan(GROWTH / 10)
  })

  it('are no more when the database last counted while nothing rested', async () => {
    const { tradeOften, grow, rowsRead } = await tradingOf(await world.createInstance())
    await tradeOften()
    await world.superuser`vacuum analyze`
    await tradeOften()
    // As many rested since.
    await grow()
    await world.superuser`update orders set status = 'OPEN' where status = 'FILLED' and client_order_id is null`
    const before = await rowsRead()
    await tradeOften()
    expect((await rowsRead()) - before).toBeLessThan(GROWTH / 10)
  })
})
