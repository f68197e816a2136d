import { setTimeout as sleep } from 'node:timers/promises'
import { createEngine, type Engine, emptyHead, replay } from '@tallystick/engine'
import type { Sql } from 'postgres'

export interface Audit {
  readonly engine: Engine
  readonly stateHash: string
  readonly orders: number
  readonly trades: number
  readonly groups: number
}

const expectEqual = (what: string, got: unknown, wanted: unknown): void => {
  const [left, right] = [got, wanted].map((value) =>
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)),
  )
  if (left !== right) throw new Error(`${what}: ${left?.slice(0, 600)} instead of ${right?.slice(0, 600)}`)
}

/** Plays the whole journal of a unit from its first command, and holds every row of the unit and of the ledger against it. */
export async function auditUnit(superuser: Sql, unitId: string): Promise<Audit> {
  await untilSettled(superuser)
  const [unit] =
    await superuser`select version::int, sequence::int, head_hash from matching_units where unit_id = ${unitId}`
  const entries = await superuser<{ number: number; body: string; hash: string }[]>`
    select sequence::int as number, entry as body, hash from unit_journal where unit_id = ${unitId} order by sequence`
  const engine = createEngine()
  const head = replay(engine, emptyHead(unitId), entries)
  expectEqual('head', [head.number, head.hash], [unit?.sequence, unit?.head_hash])
  const groups =
    await superuser`select version::int, last_sequence::int from unit_groups where unit_id = ${unitId} order by version`
  expectEqual(
    'groups',
    groups.map(({ version }) => version),
    groups.map((_, index) => index + 1),
  )
  expectEqual('last group', groups.at(-1), { version: unit?.version, last_sequence: unit?.sequence })
  const orders = await auditOrders(superuser, unitId, engine)
  const trades = await auditTrades(superuser, unitId)
  await auditDays(superuser, unitId)
  await auditMinutes(superuser, unitId)
  return { engine, stateHash: engine.stateHash(), orders, trades, groups: groups.length }
}

const SETTLED_WITHIN_MS = 10_000

/** Waits until every group of every lane has its rows: somebody writes them, whoever committed the groups. */
export async function untilSettled(superuser: Sql, withinMs = SETTLED_WITHIN_MS): Promise<void> {
  const behind = () => superuser`
    select lane_id, l.sequence, p.sequence as projected from lanes l join lane_projections p using (lane_id) where p.sequence < l.sequence`
  const deadline = Date.now() + withinMs
  for (let left = await behind(); left.length > 0; left = await behind()) {
    if (Date.now() > deadline) throw new Error(`lanes stay behind: ${JSON.stringify(left)}`)
    await sleep(20)
  }
}

interface UnitRows {
  readonly journal: readonly { readonly entry: string; readonly hash: string }[]
  readonly lastByVersion: ReadonlyMap<number, number>
}

async function readUnit(superuser: Sql, unitId: string): Promise<UnitRows> {
  const journal = await superuser<{ sequence: number; entry: string; hash: string }[]>`
    select sequence::int, entry, hash from unit_journal where unit_id = ${unitId} order by sequence`
  expectEqual(
    `entries of ${unitId}`,
    journal.map(({ sequence }) => sequence),
    journal.map((_, index) => index + 1),
  )
  const versions = await superuser<{ version: number; last: number }[]>`
    select version::int, last_sequence::int as last from unit_groups where unit_id = ${unitId}`
  return { journal, lastByVersion: new Map(versions.map(({ version, last }) => [version, last])) }
}

/** The groups of a lane are counted without gaps, its epochs never fall, and what they journalled is what the units have. */
export async function auditLane(superuser: Sql, laneId: string, withinMs?: number): Promise<{ groups: number }> {
  await untilSettled(superuser, withinMs)
  const [lane] = await superuser`select epoch::int, sequence::int from lanes where lane_id = ${laneId}`
  const groups = await superuser`
    select sequence::int, epoch::int, unit_id, version::int, first_entry::int, last_entry::int, head_hash, entries, hashes
    from lane_groups where lane_id = ${laneId} order by sequence`
  expectEqual(
    'groups of the lane',
    groups.map(({ sequence }) => sequence),
    groups.map((_, index) => index + 1),
  )
  expectEqual('groups counted', lane?.sequence ?? 0, groups.length)
  for (const [index, { epoch, sequence }] of groups.entries())
    if (epoch < (groups[index - 1]?.epoch ?? 0) || epoch > lane?.epoch)
      throw new Error(`group ${sequence} has epoch ${epoch}, the one before ${groups[index - 1]?.epoch}`)
  // A unit is read once: its journal is a view over the groups, and takes as long for one entry as for all.
  const units = new Map<string, UnitRows>()
  for (const group of groups) {
    const { unit_id: unitId, version, first_entry: first, last_entry: last } = group
    const unit = units.get(unitId) ?? (await readUnit(superuser, unitId))
    units.set(unitId, unit)
    const rows = unit.journal.slice(first - 1, last)
    expectEqual(`entries of group ${group.sequence}`, rows.map(({ entry }) => entry).join('\n'), group.entries)
    expectEqual(`hashes of group ${group.sequence}`, rows.map(({ hash }) => hash).join('\n'), group.hashes)
    expectEqual('the last hash', rows.at(-1)?.hash, group.head_hash)
    expectEqual(`version ${version} of ${unitId}`, unit.lastByVersion.get(version), last)
  }
  return { groups: groups.length }
}

const RESTING = new Set(['OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING'])

async function auditOrders(superuser: Sql, unitId: string, engine: Engine): Promise<number> {
  const orders = await superuser<{ id: string; status: string; left: string; filled: string; traded: string }[]>`
    with traded as (
      select side.order_id, sum(quantity) as quantity
      from trades t, lateral (values (t.maker_order_id), (t.taker_order_id)) as side (order_id)
      where t.settlement_status is distinct from 'FAILED' group by side.order_id)
    select o.order_id as id, status, remaining_quantity::text as left, filled_quantity::text as filled,
      coalesce(traded.quantity, 0)::text as traded
    from orders o left join traded on traded.order_id = o.order_id where o.unit_id = ${unitId}`
  for (const { id, status, left, filled, traded } of orders) {
    expectEqual(`order ${id} filled`, filled, traded)
    const known = engine.order(id)
    // One that has ended is known as long as a trade of it can still fail.
    const live = known && RESTING.has(known.status) ? known : null
    expectEqual(`order ${id} rests`, live !== null, RESTING.has(status))
    if (live) expectEqual(`order ${id}`, [status, left], [live.status, String(live.remaining)])
  }
  return orders.length
}

async function auditTrades(superuser: Sql, unitId: string): Promise<number> {
  const trades = await superuser`select number::int from trades where unit_id = ${unitId} order by number`
  expectEqual(
    'tape',
    trades.map(({ number }) => number),
    trades.map((_, index) => index + 1),
  )
  const [disordered] = await superuser`
    select count(*)::int as count from (
      select created_at < lag(created_at) over (order by number) as back from trades where unit_id = ${unitId}) t where back`
  expectEqual('trades that are older than the one before', disordered?.count, 0)
  return trades.length
}

async function auditDays(superuser: Sql, unitId: string): Promise<void> {
  const rolled = await superuser`
    select book_id, day::text, trade_count, volume_base::text, volume_quote::text, price_high::text, price_low::text
    from book_days where unit_id = ${unitId} and trade_count > 0 order by 1, 2`
  const counted = await superuser`
    select maker_book_id as book_id, (created_at at time zone 'UTC')::date::text as day, count(*)::int as trade_count,
      sum(quantity)::text as volume_base, sum(notional)::text as volume_quote, max(price)::text as price_high, min(price)::text as price_low
    from trades where unit_id = ${unitId} and settlement_status is distinct from 'FAILED' group by 1, 2 order by 1, 2`
  expectEqual('days', [...rolled], [...counted])
  const [orders] = await superuser`
    select (select coalesce(sum(order_count), 0)::int from book_days where unit_id = ${unitId}) as rolled,
      (select count(*)::int from orders where unit_id = ${unitId}) as counted`
  expectEqual('orders per day', orders?.rolled, orders?.counted)
}

export async function auditMinutes(superuser: Sql, unitId: string): Promise<void> {
  const rolled = await superuser`
    select book_id, minute, trade_count, volume_base::text, volume_quote::text, price_high::text, price_low::text, price_open::text,
      price_close::text, opened_at, opened_number::int, closed_at, closed_number::int
    from book_minutes where unit_id = ${unitId} and trade_count > 0 order by 1, 2`
  const counted = await superuser`
    select maker_book_id as book_id, date_trunc('minute', created_at, 'UTC') as minute, count(*)::int as trade_count,
      sum(quantity)::text as volume_base, sum(notional)::text as volume_quote, max(price)::text as price_high, min(price)::text as price_low,
      (array_agg(price order by created_at, number))[1]::text as price_open,
      (array_agg(price order by created_at desc, number desc))[1]::text as price_close, min(created_at) as opened_at,
      min(number)::int as opened_number, max(created_at) as closed_at, max(number)::int as closed_number
    from trades where unit_id = ${unitId} and settlement_status is distinct from 'FAILED' group by 1, 2 order by 1, 2`
  expectEqual('minutes', [...rolled], [...counted])
}

/**
 * What is reserved of every wallet in a custody contract is what its resting orders need and what its trades take until they are settled;
 * by wallet and token, in order book units. For money of up to six decimals.
 */
export async function auditCustody(
  superuser: Sql,
  custodyContract: string,
  engines: readonly Engine[],
): Promise<{ holder: string; token: string; reserved: bigint }[]> {
  const needed = new Map<string, bigint>()
  const need = (holder: string, token: string, amount: bigint) => {
    const key = `${holder} ${token}`
    needed.set(key, (needed.get(key) ?? 0n) + amount)
  }
  const resting = await superuser<{ id: string; holder: string; token: string }[]>`
    select o.order_id as id, o.holder, case when o.side = 'SELL' then b.token_address else b.quote_token_address end as token
    from orders o join order_books b using (book_id)
    where b.custody_contract = ${custodyContract} and o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')`
  for (const { id, holder, token } of resting) {
    const live = engines.map((engine) => engine.order(id)).find((order) => order !== null)
    need(holder, token, BigInt(live?.reserved ?? 0))
  }
  const staged = await superuser<
    { seller: string; buyer: string; base: string; quote: string; quantity: bigint; pays: bigint }[]
  >`
    select case when t.side = 'BUY' then t.maker_holder else t.taker_holder end as seller,
      case when t.side = 'BUY' then t.taker_holder else t.maker_holder end as buyer,
      b.token_address as base, b.quote_token_address as quote, t.quantity,
      t.notional + case when t.side = 'BUY' then t.taker_quote_fee else t.maker_quote_fee end as pays
    from trades t join order_books b on b.book_id = t.maker_book_id
    where b.custody_contract = ${custodyContract} and t.settlement_status = 'PROCESSING'`
  for (const { seller, buyer, base, quote, quantity, pays } of staged) {
    need(seller, base, BigInt(quantity))
    need(buyer, quote, BigInt(pays))
  }
  const quoted = await superuser<{ holder: string; token: string; amount: string }[]>`
    select q.provider as holder, q.lock_token as token, q.lock_amount::text as amount
    from rfq_quotes q join rfqs r using (rfq_id) where r.custody_contract = ${custodyContract} and q.status = 'ACTIVE'`
  for (const { holder, token, amount } of quoted) need(holder, token, BigInt(amount))
  const held = await superuser<{ holder: string; token: string; reserved: string }[]>`
    select holder, token_address as token, reserved::text from custody_reservations
    where custody_contract = ${custodyContract} and reserved > 0`
  expectEqual(
    'reserved in custody',
    held.map(({ holder, token, reserved }) => [`${holder} ${token}`, reserved]).sort(),
    [...needed]
      .filter(([, amount]) => amount > 0n)
      .map(([key, amount]) => [key, String(amount)])
      .sort(),
  )
  return held.map((row) => ({ ...row, reserved: BigInt(row.reserved) }))
}

/** Every balance is what its entries say, nothing is below zero, and what is reserved is what resting orders need. */
export async function auditLedger(superuser: Sql, instanceId: string, engines: readonly Engine[]): Promise<void> {
  const off = await superuser`
    with legs as (
      select token_address, to_holder as holder, amount from ledger_entries where instance_id = ${instanceId}
      union all select token_address, from_holder, -amount from ledger_entries where instance_id = ${instanceId}),
    sums as (select token_address, holder, sum(amount) as amount from legs group by 1, 2)
    select coalesce(s.holder, b.holder) as holder, s.amount::text, (b.available + b.reserved)::text as held
    from sums s full join (select * from ledger_balances where instance_id = ${instanceId}) b using (token_address, holder)
    where coalesce(s.holder, b.holder) <> 'external' and coalesce(s.amount, 0) <> coalesce(b.available + b.reserved, 0)`
  expectEqual('balances that differ from their entries', [...off], [])
  const [total] = await superuser`
    with legs as (select amount from ledger_entries where instance_id = ${instanceId} union all select -amount from ledger_entries where instance_id = ${instanceId})
    select coalesce(sum(amount), 0)::text as sum from legs`
  expectEqual('sum of all legs', total?.sum, '0')
  const [negative] = await superuser`
    select count(*)::int as count from ledger_balances where instance_id = ${instanceId} and (available < 0 or reserved < 0)`
  expectEqual('balances below zero', negative?.count, 0)
  await auditReserved(superuser, instanceId, engines)
}

async function auditReserved(superuser: Sql, instanceId: string, engines: readonly Engine[]): Promise<void> {
  const resting = await superuser<{ id: string; holder: string; token: string }[]>`
    select o.order_id as id, o.holder, case when o.side = 'SELL' then b.token_address else b.quote_token_address end as token
    from orders o join order_books b using (book_id)
    where o.instance_id = ${instanceId} and o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')
      and b.settlement_mode = 'OFF_CHAIN'`
  const needed = new Map<string, bigint>()
  for (const { id, holder, token } of resting) {
    const live = engines.map((engine) => engine.order(id)).find((order) => order !== null)
    const key = `${holder} ${token}`
    needed.set(key, (needed.get(key) ?? 0n) + BigInt(live?.reserved ?? 0))
  }
  const held = await superuser<{ holder: string; token: string; reserved: string }[]>`
    select holder, token_address as token, reserved::text from ledger_balances where instance_id = ${instanceId} and reserved > 0 order by 1, 2`
  expectEqual(
    'reserved',
    held.map(({ holder, token, reserved }) => [`${holder} ${token}`, reserved]),
    [...needed]
      .filter(([, amount]) => amount > 0n)
      .map(([key, amount]) => [key, String(amount)])
      .sort(),
  )
}
