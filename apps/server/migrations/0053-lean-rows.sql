-- Fewer rows for an order. What follows from a trade or from the journal of a lane is not written once more: it is read from there.

-- The lines that trades make in the ledger. Of trades before this, and of credits and debits, they are stored.
alter table ledger_entries rename to ledger_bookings;
alter table trades add column lines_follow boolean not null default false;

create view trade_lines with (security_invoker = true) as
  select t.maker_instance_id as instance_id, t.trade_id, t.maker_holder, t.taker_holder, t.created_at,
    -- The id of the trade with the number of the line in its last digit.
    overlay(t.trade_id::text placing l.nth from 36)::uuid as entry_id, l.kind, l.token_address, l.from_holder, l.to_holder, l.amount
  from trades t join order_books b on b.book_id = t.maker_book_id
  cross join lateral (select case when t.side = 'BUY' then t.taker_holder else t.maker_holder end as buyer,
    case when t.side = 'BUY' then t.maker_holder else t.taker_holder end as seller) p
  cross join lateral (values
    ('1', 'TRADE', b.token_address, p.seller, p.buyer, t.quantity::numeric),
    ('2', 'TRADE', b.quote_token_address, p.buyer, p.seller, t.notional::numeric),
    ('3', 'FEE', b.quote_token_address, t.taker_holder, 'fees', t.taker_quote_fee::numeric),
    ('4', 'FEE', b.quote_token_address, t.maker_holder, 'fees', t.maker_quote_fee::numeric),
    ('5', 'REBATE', b.quote_token_address, 'fees', t.maker_holder, -t.maker_quote_fee::numeric)
  ) as l(nth, kind, token_address, from_holder, to_holder, amount)
  -- Whoever trades with their own order moves nothing.
  where t.lines_follow and l.amount > 0 and l.from_holder <> l.to_holder;

create view ledger_entries with (security_invoker = true) as
  select instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, reference, created_at from ledger_bookings
  union all
  select instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, null, created_at from trade_lines;
grant select on trade_lines, ledger_entries to tally_api, tally_venue, tally_lane, tally_operator;

-- Servers of the release before write here.
create function tally_book_entry() returns trigger language plpgsql as $$
begin
  insert into ledger_bookings (instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, reference, created_at)
  values (new.instance_id, new.entry_id, new.kind, new.token_address, new.from_holder, new.to_holder, new.amount, new.trade_id, new.reference,
    new.created_at);
  return new;
end
$$;
create trigger book_entry instead of insert on ledger_entries for each row execute function tally_book_entry();
grant insert on ledger_entries to tally_api;

-- A group in lean form has no movements, and so `movements` is an empty text: they follow from its trades, used ids from its orders, and
-- the journal of its unit is read from the group itself. Its rows are arrays of these, as PostgreSQL writes them; `used_ids` is not empty
-- where an order has one. `keys` has a line for each: operation, key, SHA-256 of the request, status and answer.
create type lane_order as (order_id uuid, book_id uuid, account_id uuid, holder text, client_order_id text, side text, order_type text,
  price bigint, quantity bigint, filled bigint, status text, time_in_force text, post_only boolean, stp_mode text, cancel_reason text,
  expires_at timestamptz, auction_id uuid, sequence bigint);
create type lane_change as (order_id uuid, price bigint, quantity bigint, filled bigint, status text, cancel_reason text);
create type lane_trade as (trade_id uuid, number bigint, sequence bigint, origin text, maker_book_id uuid, taker_book_id uuid,
  maker_order_id uuid, taker_order_id uuid, maker_holder text, taker_holder text, side text, price bigint, quantity bigint, notional bigint,
  maker_fee bigint, taker_fee bigint, maker_quote_fee bigint, taker_quote_fee bigint);
create type lane_balance as (holder text, token_address text, available numeric, reserved numeric);

-- The journal of a unit: entries with a row each, and those in groups of its lane that have become rows.
alter table unit_journal rename to unit_entries;
create index lane_groups_by_entry on lane_groups (unit_id, last_entry) where movements = '';
create policy venue on lane_groups for select to tally_venue using (unit_id = tally_unit());
grant select on lane_groups to tally_venue;

create view unit_journal with (security_invoker = true) as
  select unit_id, sequence, entry, hash from unit_entries
  union all
  select g.unit_id, g.first_entry - 1 + e.nth, e.body, e.hash
  from lane_groups g
  join matching_units u on u.unit_id = g.unit_id and g.last_entry <= u.sequence and g.first_entry > u.archived_sequence
  cross join lateral rows from (string_to_table(g.entries, E'\n'), string_to_table(g.hashes, E'\n')) with ordinality as e(body, hash, nth)
  where g.movements = '';
grant select on unit_journal to tally_venue, tally_lane, tally_operator;

create function tally_write_entry() returns trigger language plpgsql as $$
begin
  insert into unit_entries (unit_id, sequence, entry, hash) values (new.unit_id, new.sequence, new.entry, new.hash);
  return new;
end
$$;
create trigger write_entry instead of insert on unit_journal for each row execute function tally_write_entry();
grant insert on unit_journal to tally_venue;

-- The same between two places, by index.
create function tally_entries(the_unit uuid, after bigint, upto bigint) returns table (number bigint, body text, hash text)
  language sql stable as $$
  select e.sequence, e.entry, e.hash from unit_entries e where e.unit_id = the_unit and e.sequence > after and e.sequence <= upto
  union all
  select g.first_entry - 1 + e.nth, e.body, e.hash
  from matching_units u
  join lane_groups g on g.unit_id = u.unit_id and g.movements = '' and g.last_entry > after and g.first_entry <= upto
    and g.last_entry <= u.sequence and g.first_entry > u.archived_sequence
  cross join lateral rows from (string_to_table(g.entries, E'\n'), string_to_table(g.hashes, E'\n')) with ordinality as e(body, hash, nth)
  where u.unit_id = the_unit and g.first_entry - 1 + e.nth > after and g.first_entry - 1 + e.nth <= upto
$$;

-- Rows of groups in the form of the release before.
create function tally_project_full(done bigint, upto bigint) returns void language plpgsql as $$
declare
  this uuid := tally_lane();
  wanted bigint;
  found_rows bigint;
begin
  insert into unit_entries (unit_id, sequence, entry, hash)
  select g.unit_id, g.first_entry - 1 + e.nth, e.body, e.hash
  from lane_groups g
  cross join lateral rows from (string_to_table(g.entries, E'\n'), string_to_table(g.hashes, E'\n')) with ordinality as e(body, hash, nth)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto;

  insert into orders (unit_id, order_id, book_id, instance_id, account_id, holder, client_order_id, side, order_type, price, quantity,
    filled_quantity, status, time_in_force, post_only, stp_mode, cancel_reason, expires_at, lock_id, auction_id, sequence, created_at,
    updated_at)
  select g.unit_id, o."orderId", o."bookId", o."instanceId", o."accountId", o.holder, o."clientOrderId", o.side, o."orderType", o.price,
    o.quantity, o.filled, o.status, o."timeInForce", o."postOnly", o."stpMode", o."cancelReason", o."expiresAt", o."lockId", o."auctionId",
    o.sequence, o."createdAt", o."updatedAt"
  from lane_groups g
  cross join lateral json_to_recordset(g.orders::json) as o("orderId" uuid, "bookId" uuid, "instanceId" uuid, "accountId" uuid, holder text,
    "clientOrderId" text, side text, "orderType" text, price bigint, quantity bigint, filled bigint, status text, "timeInForce" text,
    "postOnly" boolean, "stpMode" text, "cancelReason" text, "expiresAt" timestamptz, "lockId" uuid, "auctionId" uuid, sequence bigint,
    "createdAt" timestamptz, "updatedAt" timestamptz)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto;

  -- Touched by several groups: what was filled adds up, the rest is as the last one left it.
  with touched as (
    select distinct on (c."orderId") c."orderId", c.price, c.quantity, c.status, c."cancelReason", c."updatedAt",
      sum(c.filled) over (partition by c."orderId") as filled
    from lane_groups g
    cross join lateral json_to_recordset(g.changes::json) as c("orderId" uuid, price bigint, quantity bigint, filled bigint, status text,
      "cancelReason" text, "updatedAt" timestamptz)
    where g.lane_id = this and g.sequence > done and g.sequence <= upto
    order by c."orderId", g.sequence desc),
  moved as (
    update orders o set price = t.price, quantity = t.quantity, filled_quantity = o.filled_quantity + t.filled, status = t.status,
      cancel_reason = t."cancelReason", updated_at = t."updatedAt"
    from touched t
    cross join lateral (select i.ctid from orders i where i.order_id = t."orderId" and i.instance_id = this
      and i.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING') offset 0) place
    where o.ctid = place.ctid
    returning 1)
  select (select count(*) from touched), (select count(*) from moved) into wanted, found_rows;
  if found_rows <> wanted then
    raise exception 'lane %: % orders changed instead of %', this, found_rows, wanted;
  end if;

  insert into trades (unit_id, trade_id, number, sequence, origin, maker_book_id, taker_book_id, maker_order_id, taker_order_id,
    maker_instance_id, taker_instance_id, maker_holder, taker_holder, side, price, quantity, notional, maker_fee, taker_fee,
    maker_quote_fee, taker_quote_fee, quote_id, settlement_id, settlement_status, created_at)
  select g.unit_id, t."tradeId", t.number, t.sequence, t.origin, t."makerBookId", t."takerBookId", t."makerOrderId", t."takerOrderId",
    t."makerInstanceId", t."takerInstanceId", t."makerHolder", t."takerHolder", t.side, t.price, t.quantity, t.notional, t."makerFee",
    t."takerFee", t."makerQuoteFee", t."takerQuoteFee", null, null, null, t."createdAt"
  from lane_groups g
  cross join lateral json_to_recordset(g.trades::json) as t("tradeId" uuid, number bigint, sequence bigint, origin text, "makerBookId" uuid,
    "takerBookId" uuid, "makerOrderId" uuid, "takerOrderId" uuid, "makerInstanceId" uuid, "takerInstanceId" uuid, "makerHolder" text,
    "takerHolder" text, side text, price bigint, quantity bigint, notional bigint, "makerFee" bigint, "takerFee" bigint,
    "makerQuoteFee" bigint, "takerQuoteFee" bigint, "createdAt" timestamptz)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto;

  insert into ledger_balances (instance_id, holder, token_address, updated_at)
  select distinct this, c.holder, c."tokenAddress", '-infinity'::timestamptz
  from lane_groups g
  cross join lateral json_to_recordset(g.balances::json) as c(holder text, "tokenAddress" text)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto
  on conflict do nothing;

  with moves as (
    select c.holder, c."tokenAddress", sum(c.available) as available, sum(c.reserved) as reserved, max(g.at) as at
    from lane_groups g
    cross join lateral json_to_recordset(g.balances::json) as c(holder text, "tokenAddress" text, available numeric, reserved numeric)
    where g.lane_id = this and g.sequence > done and g.sequence <= upto group by 1, 2),
  moved as (
    update ledger_balances b set available = b.available + m.available, reserved = b.reserved + m.reserved, updated_at = m.at
    from moves m
    cross join lateral (select i.ctid from ledger_balances i where i.instance_id = this and i.holder = m.holder
      and i.token_address = m."tokenAddress" offset 0) place
    where b.ctid = place.ctid
    returning 1)
  select (select count(*) from moves), (select count(*) from moved) into wanted, found_rows;
  if found_rows <> wanted then
    raise exception 'lane %: % balances moved instead of %', this, found_rows, wanted;
  end if;

  insert into ledger_bookings (instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, reference, created_at)
  select this, e."entryId", e.kind, e."tokenAddress", e."from", e."to", e.amount, e."tradeId", null, g.at
  from lane_groups g
  cross join lateral json_to_recordset(g.movements::json) as e("entryId" uuid, kind text, "tokenAddress" text, "from" text, "to" text,
    amount numeric, "tradeId" uuid)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto;

  insert into client_order_ids (instance_id, account_id, client_order_id, order_id)
  select this, i."accountId", i."clientOrderId", i."orderId"
  from lane_groups g
  cross join lateral json_to_recordset(g.used_ids::json) as i("accountId" uuid, "clientOrderId" text, "orderId" uuid)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto;

  insert into idempotency_keys (instance_id, operation, idempotency_key, request_sha256, status, answer, created_at)
  select this, k.operation, k.key, decode(k.fingerprint, 'hex'), k.status, convert_to(k.body, 'UTF8'), g.at
  from lane_groups g
  cross join lateral json_to_recordset(g.keys::json) as k(operation text, key text, fingerprint text, status integer, body text)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto
  on conflict (instance_id, operation, idempotency_key) do update
    set request_sha256 = excluded.request_sha256, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at;
end
$$;

-- Rows of groups in lean form.
create function tally_project_lean(done bigint, upto bigint) returns void language plpgsql as $$
declare
  this uuid := tally_lane();
  wanted bigint;
  found_rows bigint;
  opened bigint;
begin
  insert into orders (unit_id, order_id, book_id, instance_id, account_id, holder, client_order_id, side, order_type, price, quantity,
    filled_quantity, status, time_in_force, post_only, stp_mode, cancel_reason, expires_at, lock_id, auction_id, sequence, created_at,
    updated_at)
  select g.unit_id, o.order_id, o.book_id, this, o.account_id, o.holder, o.client_order_id, o.side, o.order_type, o.price, o.quantity,
    o.filled, o.status, o.time_in_force, o.post_only, o.stp_mode, o.cancel_reason, o.expires_at, null, o.auction_id, o.sequence, g.at, g.at
  from lane_groups g cross join lateral unnest(g.orders::lane_order[]) o
  where g.lane_id = this and g.sequence > done and g.sequence <= upto;

  insert into client_order_ids (instance_id, account_id, client_order_id, order_id)
  select this, o.account_id, o.client_order_id, o.order_id
  from lane_groups g cross join lateral unnest(g.orders::lane_order[]) o
  where g.lane_id = this and g.sequence > done and g.sequence <= upto and g.used_ids <> '' and o.client_order_id is not null;

  -- Touched by several groups: what was filled adds up, the rest is as the last one left it.
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
    cross join lateral (select i.ctid from orders i where i.order_id = t.order_id and i.instance_id = this
      and i.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING') offset 0) place
    where o.ctid = place.ctid
    returning 1)
  select (select count(*) from touched), (select count(*) from moved) into wanted, found_rows;
  if found_rows <> wanted then
    raise exception 'lane %: % orders changed instead of %', this, found_rows, wanted;
  end if;

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
    where g.lane_id = this and g.sequence > done and g.sequence <= upto group by 1, 2),
  moved as (
    update ledger_balances b set available = b.available + m.available, reserved = b.reserved + m.reserved, updated_at = m.at
    from moves m
    cross join lateral (select i.ctid from ledger_balances i where i.instance_id = this and i.holder = m.holder
      and i.token_address = m.token_address offset 0) place
    where b.ctid = place.ctid
    returning 1)
  select (select count(*) from moves), (select count(*) from moved) into wanted, found_rows;
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
    convert_to(substr(k.line, length(k.operation) + length(k.key) + length(k.fingerprint) + length(k.status) + 5), 'UTF8'), k.at
  from (
    select l.line, g.at, split_part(l.line, ' ', 1) as operation, split_part(l.line, ' ', 2) as key,
      split_part(l.line, ' ', 3) as fingerprint, split_part(l.line, ' ', 4) as status
    from lane_groups g cross join lateral string_to_table(g.keys, E'\n') as l(line)
    where g.lane_id = this and g.sequence > done and g.sequence <= upto and g.keys <> '' offset 0) k
  on conflict (instance_id, operation, idempotency_key) do update
    set request_sha256 = excluded.request_sha256, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at;
end
$$;

create or replace function tally_project(most integer) returns bigint language plpgsql as $$
declare
  this uuid := tally_lane();
  done bigint;
  upto bigint;
  is_lean boolean;
  wanted bigint;
  found_rows bigint;
begin
  select p.sequence into done from lane_projections p where p.lane_id = this for update;
  select g.movements = '' into is_lean from lane_groups g where g.lane_id = this and g.sequence = done + 1;
  if is_lean is null then
    return coalesce(done, 0);
  end if;
  -- As many as are of one form.
  select max(g.sequence) into upto from (
    select n.sequence, sum(coalesce(n.last_entry - n.first_entry, 0) + 1) over later as entries, bool_and(n.is_same) over later as are_same
    from (select sequence, first_entry, last_entry, (movements = '') = is_lean as is_same from lane_groups
      where lane_id = this and sequence > done order by sequence limit most) n
    window later as (order by n.sequence)) g
  where g.sequence = done + 1 or (g.entries <= most and g.are_same);

  select count(*) into wanted from (
    select distinct unit_id from lane_groups where lane_id = this and sequence > done and sequence <= upto and unit_id is not null) g;
  update matching_units u set version = g.version, sequence = g.last_entry, head_hash = g.head_hash
  from (
    select distinct on (unit_id) unit_id, version, last_entry, head_hash, min(version) over (partition by unit_id) as first
    from lane_groups where lane_id = this and sequence > done and sequence <= upto and unit_id is not null
    order by unit_id, sequence desc) g
  where u.unit_id = g.unit_id and u.version = g.first - 1;
  get diagnostics found_rows = row_count;
  if found_rows <> wanted then
    raise exception 'lane %: % units follow from its groups instead of %', this, found_rows, wanted;
  end if;

  insert into unit_groups (unit_id, version, group_id, last_sequence, committed_at)
  select unit_id, version, group_id, last_entry, at from lane_groups
  where lane_id = this and sequence > done and sequence <= upto and unit_id is not null;

  if is_lean then
    perform tally_project_lean(done, upto);
  else
    perform tally_project_full(done, upto);
  end if;

  insert into book_days as b (unit_id, book_id, day, order_count, trade_count, volume_base, volume_quote, price_high, price_low,
    price_open, price_close, opened_at, closed_at)
  select g.unit_id, d."bookId", d.day, sum(d.orders), sum(d.trades), sum(d.base), sum(d.quote), max(d.high), min(d.low),
    (array_agg(d.open order by g.sequence) filter (where d.open is not null))[1],
    (array_agg(d.close order by g.sequence desc) filter (where d.close is not null))[1],
    min(d.at) filter (where d.trades > 0), max(d.at) filter (where d.trades > 0)
  from lane_groups g
  cross join lateral json_to_recordset(g.days::json) as d("bookId" uuid, day date, orders integer, trades integer, base numeric, quote numeric,
    high bigint, low bigint, open bigint, close bigint, at timestamptz)
  where g.lane_id = this and g.sequence > done and g.sequence <= upto
  group by 1, 2, 3
  on conflict (book_id, day, unit_id) do update set order_count = b.order_count + excluded.order_count,
    trade_count = b.trade_count + excluded.trade_count, volume_base = b.volume_base + excluded.volume_base,
    volume_quote = b.volume_quote + excluded.volume_quote, price_high = greatest(b.price_high, excluded.price_high),
    price_low = least(b.price_low, excluded.price_low), price_open = coalesce(b.price_open, excluded.price_open),
    price_close = coalesce(excluded.price_close, b.price_close), opened_at = coalesce(b.opened_at, excluded.opened_at),
    closed_at = coalesce(excluded.closed_at, b.closed_at);

  update lane_projections set sequence = upto where lane_id = this;
  return upto;
end
$$;
