-- Orders of off-chain books are journal first. A lane is the ledger of one instance and all books that it backs. Its owner, one process at
-- a time, matches in memory; a group of orders is one row here, and its answers leave once that row is committed. Orders, trades, balances
-- and the journal of the unit follow from it: whoever projects, does so in one transaction with its position, so each group once.
--
-- Everything else that writes a ledger or a book of it (credits, accounts, settings, auctions) does so in a transaction that enters the
-- lane: it locks the row of the lane, projects what is left, and raises the epoch. What the owner remembers is then refused at its next
-- commit, and read again.

do $$
begin
  if not exists (select from pg_roles where rolname = 'tally_lane') then
    create role tally_lane nologin noinherit;
  end if;
  if not pg_has_role(current_user, 'tally_lane', 'set') then
    grant tally_lane to current_user with inherit false, set true;
  end if;
  grant usage on schema public to tally_lane;
end
$$;

create function tally_lane() returns uuid language sql stable parallel safe
  return nullif(current_setting('tally.lane', true), '')::uuid;

create table lanes (
  lane_id uuid primary key references instances,
  -- Never falls. An owner commits only while it is the one that it saw.
  epoch bigint not null default 0,
  -- Groups committed so far: no gaps.
  sequence bigint not null default 0,
  -- The process that matches, and until when others leave the lane to it. Only a courtesy: what decides is the epoch.
  owner text,
  lease_until timestamptz not null default '-infinity'
);

create table lane_projections (
  lane_id uuid primary key references lanes,
  sequence bigint not null default 0
);

-- A group: the entries of the journal of its unit, one line each, and the rows that they come to, as JSON.
create table lane_groups (
  lane_id uuid not null,
  sequence bigint not null,
  epoch bigint not null,
  group_id uuid not null,
  -- Null: nothing was journalled, only answers were kept.
  unit_id uuid,
  version bigint,
  first_entry bigint,
  last_entry bigint,
  head_hash text,
  at timestamptz not null,
  entries text not null,
  hashes text not null,
  orders text not null,
  changes text not null,
  trades text not null,
  days text not null,
  balances text not null,
  movements text not null,
  used_ids text not null,
  -- Answers to requests that came with an idempotency key.
  keys text not null,
  primary key (lane_id, sequence)
);
-- Read once or twice, and soon: not worth the time that it takes to press them.
alter table lane_groups alter entries set storage external, alter hashes set storage external, alter orders set storage external,
  alter changes set storage external, alter trades set storage external, alter days set storage external,
  alter balances set storage external, alter movements set storage external, alter used_ids set storage external, alter keys set storage external;

do $$
declare
  one text;
begin
  foreach one in array array['lanes', 'lane_projections', 'lane_groups'] loop
    perform tally_guard(one::regclass);
    execute format('create policy lane on %s to tally_lane using (lane_id = tally_lane()) with check (lane_id = tally_lane())', one);
    execute format('grant select, insert, update on %s to tally_lane', one);
  end loop;
  foreach one in array array['matching_units', 'unit_groups', 'unit_journal', 'book_days'] loop
    execute format('create policy lane on %1$s to tally_lane
      using (unit_id in (select b.unit_id from order_books b where b.instance_id = tally_lane() and b.settlement_mode = ''OFF_CHAIN''))
      with check (unit_id in (select b.unit_id from order_books b where b.instance_id = tally_lane() and b.settlement_mode = ''OFF_CHAIN''))', one);
    execute format('grant select, insert, update on %s to tally_lane', one);
  end loop;
  foreach one in array array['orders', 'ledger_balances', 'ledger_entries', 'client_order_ids', 'idempotency_keys'] loop
    execute format('create policy lane on %s to tally_lane using (instance_id = tally_lane()) with check (instance_id = tally_lane())', one);
    execute format('grant select, insert, update on %s to tally_lane', one);
  end loop;
end
$$;
create policy lane on trades to tally_lane using (maker_instance_id = tally_lane() and taker_instance_id = tally_lane())
  with check (maker_instance_id = tally_lane() and taker_instance_id = tally_lane());
grant select, insert on trades to tally_lane;
create policy lane on order_books for select to tally_lane using (instance_id = tally_lane());
create policy lane on idempotency_claims for select to tally_lane using (instance_id = tally_lane());
create policy lane on trading_accounts for select to tally_lane using (instance_id = tally_lane());
grant select on order_books, trading_accounts, idempotency_claims to tally_lane;
set local role tally_auth;
grant execute on function tally_stale_keys(uuid[], bigint[], uuid[], bigint[]) to tally_lane;
reset role;

-- Writes the rows of the next groups, at most so many journal entries of them but one group at least, and moves the position. Answers the
-- position.
create function tally_project(most integer) returns bigint language plpgsql as $$
declare
  this uuid := tally_lane();
  done bigint;
  upto bigint;
  wanted bigint;
  found_rows bigint;
begin
  select p.sequence into done from lane_projections p where p.lane_id = this for update;
  select max(g.sequence) into upto from (
    select n.sequence, sum(coalesce(n.last_entry - n.first_entry, 0) + 1) over (order by n.sequence) as entries
    from (select sequence, first_entry, last_entry from lane_groups where lane_id = this and sequence > done order by sequence limit most) n) g
  where g.entries <= most or g.sequence = done + 1;
  if upto is null then
    return coalesce(done, 0);
  end if;

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

  insert into unit_journal (unit_id, sequence, entry, hash)
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

  insert into ledger_entries (instance_id, entry_id, kind, token_address, from_holder, to_holder, amount, trade_id, reference, created_at)
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

  update lane_projections set sequence = upto where lane_id = this;
  return upto;
end
$$;

-- The lane is held until the transaction ends, and all its groups are rows.
create function tally_hold_lane() returns lanes language plpgsql as $$
declare
  this uuid := tally_lane();
  held lanes;
begin
  insert into lanes (lane_id) values (this) on conflict do nothing;
  insert into lane_projections (lane_id) values (this) on conflict do nothing;
  select * into held from lanes where lane_id = this for update;
  while tally_project(2000) < held.sequence loop
  end loop;
  return held;
end
$$;

-- For whoever writes beside the journal: what an owner remembers is no more.
create function tally_enter_lane() returns bigint language plpgsql as $$
declare
  held lanes := tally_hold_lane();
begin
  update lanes set epoch = held.epoch + 1 where lane_id = held.lane_id;
  return held.epoch + 1;
end
$$;

-- For whoever wants to match in memory. No row: the lane is another process's, for now.
create function tally_own_lane(me text, lease interval) returns table (epoch bigint, sequence bigint) language plpgsql as $$
declare
  held lanes := tally_hold_lane();
begin
  if held.owner is distinct from me then
    if held.lease_until > clock_timestamp() then
      return;
    end if;
    held.epoch := held.epoch + 1;
  end if;
  update lanes l set epoch = held.epoch, owner = me, lease_until = clock_timestamp() + lease where l.lane_id = held.lane_id;
  return query select held.epoch, held.sequence;
end
$$;

-- One group, if the lane is where its owner saw it and every key still is what it was. It waits for nobody: who holds the lane will have
-- changed it.
create function tally_commit_group(seen_epoch bigint, lease interval, keys uuid[], key_epochs bigint[], the_instances uuid[],
  instance_epochs bigint[], made lane_groups) returns text language plpgsql as $$
begin
  perform from lanes l where l.lane_id = tally_lane() and l.epoch = seen_epoch and l.sequence = made.sequence - 1 for update skip locked;
  if not found then
    return 'MOVED';
  end if;
  if tally_stale_keys(keys, key_epochs, the_instances, instance_epochs) <> '{}' then
    return 'STALE';
  end if;
  update lanes l set sequence = made.sequence, lease_until = clock_timestamp() + lease where l.lane_id = tally_lane();
  insert into lane_groups select made.*;
  return 'COMMITTED';
end
$$;

-- One forgotten path would break a ledger: whoever writes it without having entered its lane is refused.
create function tally_refuse_aside() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger of instance % is written in its lane only', new.instance_id using errcode = 'insufficient_privilege';
end
$$;
create trigger in_its_lane before insert or update on ledger_balances for each row
  when (current_user in ('tally_api', 'tally_venue') and current_setting('tally.lane', true) is distinct from new.instance_id::text)
  execute function tally_refuse_aside();
create trigger in_its_lane before insert or update on ledger_tokens for each row
  when (current_user in ('tally_api', 'tally_venue') and current_setting('tally.lane', true) is distinct from new.instance_id::text)
  execute function tally_refuse_aside();
create trigger in_its_lane before insert or update on trading_accounts for each row
  when (new.holder like 'offchain:%' and current_user in ('tally_api', 'tally_venue')
    and current_setting('tally.lane', true) is distinct from new.instance_id::text)
  execute function tally_refuse_aside();
