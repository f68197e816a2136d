-- An order is found by its id, whatever the database last counted. It chooses an index by how many rows it believes to find there. Of an
-- instance that came after it last counted it believes that there are none, and of orders that rest, where it counted while none did: it then
-- read all orders of the instance, or all that rest anywhere, for each order that was changed.

-- By instance alone nobody looks for orders: whoever does has a holder too.
drop index orders_by_holder;
create index orders_by_holder on orders (holder, instance_id, created_at desc, order_id desc);

-- Balances at the places where they were found. Of an instance that came after it last counted, the database believes that it has no balances,
-- and whoever has the lane sees those of one instance only: it then read all of them to find the few that stand at these places.
create function tally_move_balances(places tid[], more_available numeric[], more_reserved numeric[], moments timestamptz[]) returns bigint language plpgsql
  set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_seqscan = off as $$
declare
  moved bigint;
begin
  update ledger_balances b set available = b.available + m.available, reserved = b.reserved + m.reserved, updated_at = m.at
  from unnest(places, more_available, more_reserved, moments) as m(place, available, reserved, at)
  where b.ctid = m.place;
  get diagnostics moved = row_count;
  return moved;
end
$$;

-- That an order rests is asked of the row that its id led to.
create or replace function tally_project_lean(done bigint, upto bigint) returns void language plpgsql as $$
declare
  this uuid := tally_lane();
  wanted bigint;
  found_rows bigint;
  opened bigint;
begin
  -- Touched by several groups: what was filled adds up, the rest is as the last one left it. Orders of this projection are not there yet.
  with touched as (
    select distinct on (c.order_id) c.order_id, c.price, c.quantity, c.status, c.cancel_reason, g.at,
      sum(c.filled) over (partition by c.order_id) as filled
    from lane_groups g cross join lateral unnest(g.changes::lane_change[]) c
    where g.lane_id = this and g.sequence > done and g.sequence <= upto
    order by c.order_id, g.sequence desc),
  moved as (
    update orders o set price = t.price, quantity = t.quantity, filled_quantity = o.filled_quantity + t.filled, status = t.status,
      cancel_reason = t.cancel_reason, updated_at = t.at
    from touched t
    cross join lateral (select i.ctid, i.status from orders i where i.order_id = t.order_id offset 0) place
    where o.ctid = place.ctid and place.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')
    returning 1)
  select (select count(*) from touched), (select count(*) from moved) into wanted, found_rows;
  found_rows := found_rows + tally_add_orders(done, upto);
  if found_rows <> wanted then
    raise exception 'lane %: % orders changed instead of %', this, found_rows, wanted;
  end if;

  insert into client_order_ids (instance_id, account_id, client_order_id, order_id)
  select this, o.account_id, o.client_order_id, o.order_id
  from lane_groups g cross join lateral unnest(g.orders::lane_order[]) o
  where g.lane_id = this and g.sequence > done and g.sequence <= upto and g.used_ids <> '' and o.client_order_id is not null;

  insert into trades (unit_id, trade_id, number, sequence, origin, maker_book_id, taker_book_id, maker_order_id, taker_order_id,
    maker_instance_id, taker_instance_id, maker_holder, taker_holder, side, price, quantity, notional, maker_fee, taker_fee,
    maker_quote_fee, taker_quote_fee, quote_id, settlement_id, settlement_status, lines_follow, created_at)
  select g.unit_id, t.trade_id, t.number, t.sequence, t.origin, t.maker_book_id, t.taker_book_id, t.maker_order_id, t.taker_order_id, this,
    this, t.maker_holder, t.taker_holder, t.side, t.price, t.quantity, t.notional, t.maker_fee, t.taker_fee, t.maker_quote_fee,
    t.taker_quote_fee, null, null, null, true, g.at
  from lane_groups g cross join lateral unnest(g.trades::lane_trade[]) t
  where g.lane_id = this and g.sequence > done and g.sequence <= upto;

  with moves as (
    select c.holder, c.token_address, sum(c.available) as available, sum(c.reserved) as reserved, max(g.at) as at
    from lane_groups g cross join lateral unnest(g.balances::lane_balance[]) c
    where g.lane_id = this and g.sequence > done and g.sequence <= upto group by 1, 2)
  select count(*), tally_move_balances(array_agg(place.ctid), array_agg(m.available), array_agg(m.reserved), array_agg(m.at))
  into wanted, found_rows
  from moves m
  left join lateral (select i.ctid from ledger_balances i where i.instance_id = this and i.holder = m.holder
    and i.token_address = m.token_address offset 0) place on true;
  if found_rows <> wanted then
    -- A balance that has no row yet begins at nothing.
    insert into ledger_balances (instance_id, holder, token_address, available, reserved, updated_at)
    select this, m.holder, m.token_address, m.available, m.reserved, m.at
    from (
      select c.holder, c.token_address, sum(c.available) as available, sum(c.reserved) as reserved, max(g.at) as at
      from lane_groups g cross join lateral unnest(g.balances::lane_balance[]) c
      where g.lane_id = this and g.sequence > done and g.sequence <= upto group by 1, 2) m
    where not exists (select from ledger_balances i where i.instance_id = this and i.holder = m.holder
      and i.token_address = m.token_address offset 0);
    get diagnostics opened = row_count;
    if found_rows + opened <> wanted then
      raise exception 'lane %: % balances moved instead of %', this, found_rows + opened, wanted;
    end if;
  end if;

  insert into idempotency_keys (instance_id, operation, idempotency_key, request_sha256, status, answer, created_at)
  select this, k.operation, k.key, decode(k.fingerprint, 'hex'), k.status::integer,
    substring(convert_to(k.line, 'UTF8') from length(k.operation) + length(k.key) + length(k.fingerprint) + length(k.status) + 5), k.at
  from (
    select l.line, g.at, split_part(l.line, ' ', 1) as operation, split_part(l.line, ' ', 2) as key,
      split_part(l.line, ' ', 3) as fingerprint, split_part(l.line, ' ', 4) as status
    from lane_groups g cross join lateral string_to_table(g.keys, E'\n') as l(line)
    where g.lane_id = this and g.sequence > done and g.sequence <= upto and g.keys <> '' offset 0) k
  on conflict (instance_id, operation, idempotency_key) do update
    set request_sha256 = excluded.request_sha256, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at;
end
$$;
