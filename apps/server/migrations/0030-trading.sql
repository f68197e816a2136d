-- Order books. Venue rows belong to a matching unit (a lone book, or a class of books that pool their depth) and are written by
-- tally_venue for the one unit that its transaction names; tenant rows belong to an instance; a book itself belongs to its owner and is
-- read by whoever has access to it.

create table book_access (
  instance_id uuid not null references instances,
  book_id uuid not null,
  -- PEER: a book that pools depth with one the instance may read.
  via text not null check (via in ('OWNER', 'IMPORT', 'PEER')),
  import_id uuid unique,
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (instance_id, book_id, via),
  check ((via = 'IMPORT') = (import_id is not null))
);
create index book_access_by_book on book_access (book_id);
select tally_tenant_table('book_access');

create table order_books (
  instance_id uuid not null references instances,
  book_id uuid primary key,
  unit_id uuid not null,
  class text not null check (class in ('stocks', 'commodities', 'external-securities')),
  chain_id bigint not null,
  token_address text not null check (token_address ~ '^0x[0-9a-f]{40}$'),
  quote_token_address text not null check (quote_token_address ~ '^0x[0-9a-f]{40}$'),
  name text not null check (length(name) between 1 and 64),
  symbol text not null check (length(symbol) between 1 and 16),
  status text not null check (status in ('ACTIVE', 'PAUSED', 'CLOSED')),
  token_type text not null check (token_type in ('STOCK_TOKEN', 'LIGHT_TOKEN', 'EXTERNAL_SECURITY')),
  settlement_mode text not null check (settlement_mode in ('ON_CHAIN', 'OFF_CHAIN')),
  custody_contract text check (custody_contract ~ '^0x[0-9a-f]{40}$'),
  settlement_operator text check (settlement_operator ~ '^0x[0-9a-f]{40}$'),
  underlying_identifier text,
  stock_token_id text,
  cfid text check (cfid ~ '^0x[0-9a-f]{64}$'),
  base_decimals integer check (base_decimals between 0 and 36),
  quote_decimals integer check (quote_decimals between 0 and 36),
  min_order_size bigint not null default 0 check (min_order_size >= 0),
  max_order_size bigint check (max_order_size > 0),
  tick_size bigint not null default 1 check (tick_size > 0),
  maker_fee_bps integer not null default 0 check (maker_fee_bps between 0 and 1000),
  taker_fee_bps integer not null default 0 check (taker_fee_bps between 0 and 1000),
  mm_maker_rebate_bps integer check (mm_maker_rebate_bps between -1000 and 1000),
  allow_import boolean not null default false,
  allow_shared_liquidity boolean not null default false,
  trading_mode text not null default 'CONTINUOUS' check (trading_mode in ('CONTINUOUS', 'PERIODIC_AUCTION', 'HYBRID')),
  auction_interval_seconds integer,
  hybrid_switch_spread_bps integer,
  current_auction_id uuid,
  auction_roll_unmatched boolean not null default true,
  price_ref_enabled boolean not null default false,
  price_ref_mode text not null default 'MANUAL' check (price_ref_mode in ('MANUAL', 'STOCK_FEED', 'EXTERNAL_FEED')),
  price_ref_feed_url text,
  price_ref_feed_headers text,
  price_ref_feed_path text,
  price_ref_enforcement text not null default 'EVERY_TRADE',
  price_ref_spread_bps integer check (price_ref_spread_bps between 1 and 10000),
  -- Order book units, like every price.
  price_ref_last_price bigint check (price_ref_last_price > 0),
  price_ref_last_updated timestamptz,
  price_ref_halt_on_stale boolean not null default false,
  price_ref_stale_tolerance integer check (price_ref_stale_tolerance between 60 and 604800),
  price_ref_circuit_breaker_bps integer check (price_ref_circuit_breaker_bps between 10 and 10000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (token_address <> quote_token_address),
  check (settlement_mode = 'ON_CHAIN' or (custody_contract is null and not allow_import and not allow_shared_liquidity))
);
-- One open book per pair; a closed one does not stand in the way.
create unique index order_books_one_open on order_books (instance_id, token_address, quote_token_address) where status <> 'CLOSED';
create index order_books_by_instance on order_books (instance_id, created_at desc);
create index order_books_by_unit on order_books (unit_id);
create index order_books_importable on order_books (class, created_at desc) where allow_import and status = 'ACTIVE';
select tally_tenant_table('order_books');
revoke delete on order_books from tally_api;
create policy readers on order_books for select to tally_api
  using (book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active));
-- What an owner offers to others can be seen by them before they take it.
create policy offered on order_books for select to tally_api
  using (allow_import and status = 'ACTIVE' and settlement_mode = 'ON_CHAIN');
create policy venue on order_books to tally_venue using (unit_id = tally_unit()) with check (unit_id = tally_unit());
grant select, update on order_books to tally_venue;

-- Who may read a pooled book changes with the pool, for instances other than the one that asked.
create policy venue on book_access to tally_venue
  using (book_id in (select b.book_id from order_books b)) with check (book_id in (select b.book_id from order_books b));
grant select, insert, update, delete on book_access to tally_venue;

create table price_reference_log (
  instance_id uuid not null references instances,
  log_id uuid primary key,
  book_id uuid not null references order_books,
  price bigint not null,
  source text not null,
  enforcement_used text not null,
  created_at timestamptz not null
);
create index price_reference_log_by_book on price_reference_log (book_id, log_id desc);
select tally_tenant_table('price_reference_log');

-- Venue rows ---------------------------------------------------------------------------------------------------------------------

-- The row whose lock orders the commands of a unit. `version` counts groups, `sequence` counts journal entries.
create table matching_units (
  unit_id uuid primary key,
  version bigint not null default 0,
  sequence bigint not null default 0,
  head_hash text not null,
  created_at timestamptz not null
);
select tally_venue_table('matching_units', 'unit_id in (select b.unit_id from order_books b)');

-- The tables below that every order writes have no foreign keys: each would lock a shared row once more, and one writer writes them.

-- One row per committed group: a commit whose answer got lost is found, or not, by its group id.
create table unit_groups (
  unit_id uuid not null,
  version bigint not null,
  group_id uuid not null,
  last_sequence bigint not null,
  committed_at timestamptz not null,
  primary key (unit_id, version)
);
select tally_venue_table('unit_groups');

-- Command and events, one line each, chained by hash.
create table unit_journal (
  unit_id uuid not null,
  sequence bigint not null,
  entry text not null,
  hash text not null,
  primary key (unit_id, sequence)
);
select tally_venue_table('unit_journal');

-- A state to start from, so that a replica need not replay from the first command.
create table unit_snapshots (
  unit_id uuid not null references matching_units,
  sequence bigint not null,
  state text not null,
  hash text not null,
  taken_at timestamptz not null,
  primary key (unit_id, sequence)
);
select tally_venue_table('unit_snapshots');

create table orders (
  unit_id uuid not null,
  order_id uuid not null,
  book_id uuid not null,
  instance_id uuid not null,
  account_id uuid not null,
  -- A wallet, or `offchain:` and the customer's reference.
  holder text not null,
  client_order_id text,
  side text not null check (side in ('BUY', 'SELL')),
  order_type text not null check (order_type in ('LIMIT', 'MARKET')),
  price bigint check (price > 0),
  quantity bigint not null check (quantity > 0),
  filled_quantity bigint not null default 0 check (filled_quantity between 0 and quantity),
  remaining_quantity bigint not null generated always as (quantity - filled_quantity) stored,
  status text not null check (status in ('OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'EXPIRED', 'REJECTED', 'AUCTION_PENDING')),
  time_in_force text not null check (time_in_force in ('GTC', 'IOC', 'FOK')),
  post_only boolean not null,
  stp_mode text not null check (stp_mode in ('NONE', 'CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH')),
  cancel_reason text,
  expires_at timestamptz,
  auction_id uuid,
  lock_id uuid,
  -- The journal entry that accepted it: the order of arrival.
  sequence bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (order_id),
  check ((price is null) = (order_type = 'MARKET'))
);
create index orders_by_holder on orders (instance_id, holder, created_at desc, order_id desc);
create index orders_resting on orders (book_id) where status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING');
select tally_venue_table('orders', 'instance_id = tally_instance()');

create table settlements (
  unit_id uuid not null references matching_units,
  settlement_id uuid primary key,
  book_id uuid not null references order_books,
  status text not null check (status in ('PENDING', 'PROCESSING', 'CONFIRMED', 'FAILED')),
  tx_hash text,
  block_number bigint,
  gas_used numeric(78, 0),
  error text,
  settled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index settlements_pending on settlements (book_id, created_at) where status in ('PENDING', 'PROCESSING');
select tally_venue_table('settlements', 'book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active)');

create table trades (
  unit_id uuid not null,
  trade_id uuid primary key,
  -- Counted from 1 within the unit: the order of the tape, and the name the engine has for it.
  number bigint not null,
  sequence bigint not null,
  origin text not null check (origin in ('CLOB', 'AUCTION', 'RFQ')),
  maker_book_id uuid not null,
  taker_book_id uuid not null,
  maker_order_id uuid not null,
  taker_order_id uuid not null,
  maker_instance_id uuid not null,
  taker_instance_id uuid not null,
  maker_holder text not null,
  taker_holder text not null,
  side text not null check (side in ('BUY', 'SELL')),
  price bigint not null check (price > 0),
  quantity bigint not null check (quantity > 0),
  notional bigint not null check (notional > 0),
  maker_fee bigint not null,
  taker_fee bigint not null,
  maker_quote_fee bigint not null,
  taker_quote_fee bigint not null,
  quote_id uuid,
  settlement_id uuid,
  settlement_status text check (settlement_status in ('PROCESSING', 'CONFIRMED', 'FAILED')),
  settlement_error text,
  created_at timestamptz not null
);
create index trades_tape on trades (maker_book_id, created_at desc, number desc);
create index trades_by_taker_book on trades (taker_book_id) where taker_book_id <> maker_book_id;
create index trades_by_maker on trades (maker_instance_id, maker_holder, created_at desc);
create index trades_by_taker on trades (taker_instance_id, taker_holder, created_at desc);
create index trades_by_maker_order on trades (maker_order_id);
create index trades_by_taker_order on trades (taker_order_id);
create index trades_by_settlement on trades (settlement_id) where settlement_id is not null;
select tally_venue_table('trades', '
  maker_book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active)
  or taker_book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active)
  or maker_instance_id = tally_instance() or taker_instance_id = tally_instance()');

-- What one book did on one UTC day. A trade counts in its maker's book, an order in its own. A book that changed units has a row for each.
create table book_days (
  unit_id uuid not null,
  book_id uuid not null,
  day date not null,
  order_count integer not null default 0,
  trade_count integer not null default 0,
  -- On the tape, but in no aggregate.
  failed_count integer not null default 0,
  volume_base numeric(78, 0) not null default 0,
  volume_quote numeric(78, 0) not null default 0,
  price_high bigint,
  price_low bigint,
  price_open bigint,
  price_close bigint,
  opened_at timestamptz,
  closed_at timestamptz,
  primary key (book_id, day, unit_id)
);
select tally_venue_table('book_days', 'book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active)');

-- Tenant rows --------------------------------------------------------------------------------------------------------------------

create table trading_accounts (
  instance_id uuid not null references instances,
  account_id uuid primary key,
  holder text not null check (holder ~ '^0x[0-9a-f]{40}$' or (holder like 'offchain:_%' and length(holder) <= 265)),
  name text check (length(name) between 1 and 100),
  is_market_maker boolean not null default false,
  can_quote boolean not null default false,
  -- Null: every book.
  permitted_books text[],
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (instance_id, holder)
);
select tally_tenant_table('trading_accounts');

-- For ever: an id that was used once names that order and no other.
create table client_order_ids (
  instance_id uuid not null,
  account_id uuid not null,
  client_order_id text not null,
  order_id uuid not null,
  primary key (account_id, client_order_id)
);
select tally_tenant_table('client_order_ids');

create table ledger_tokens (
  instance_id uuid not null references instances,
  token_address text not null check (token_address ~ '^0x[0-9a-f]{40}$'),
  symbol text not null check (length(symbol) between 1 and 16),
  name text check (length(name) between 1 and 100),
  registered_at timestamptz not null,
  primary key (instance_id, token_address)
);
select tally_tenant_table('ledger_tokens');

create table ledger_balances (
  instance_id uuid not null,
  -- `offchain:` and the customer's reference, or `fees`.
  holder text not null check (holder <> 'external'),
  token_address text not null,
  available numeric(78, 0) not null default 0 check (available >= 0),
  reserved numeric(78, 0) not null default 0 check (reserved >= 0),
  updated_at timestamptz not null,
  primary key (instance_id, holder, token_address),
  foreign key (instance_id, token_address) references ledger_tokens
);
select tally_tenant_table('ledger_balances');

-- Two legs in one row, so that every entry sums to zero: `amount` leaves one holder and reaches the other. `external` is the world
-- outside: what was credited came from there, what was debited went there.
create table ledger_entries (
  instance_id uuid not null,
  entry_id uuid primary key,
  kind text not null check (kind in ('CREDIT', 'DEBIT', 'TRADE', 'FEE', 'REBATE')),
  token_address text not null,
  from_holder text not null,
  to_holder text not null,
  amount numeric(78, 0) not null check (amount > 0),
  trade_id uuid,
  reference text,
  created_at timestamptz not null,
  check (from_holder <> to_holder)
);
create index ledger_entries_from on ledger_entries (instance_id, from_holder, entry_id desc);
create index ledger_entries_to on ledger_entries (instance_id, to_holder, entry_id desc);
select tally_tenant_table('ledger_entries');
revoke update, delete on ledger_entries from tally_api;
revoke update, delete on client_order_ids from tally_api;

-- Which of these keys changed since they were looked up: a group of orders is answered to many callers in one transaction.
grant create on schema public to tally_auth;
create function tally_stale_keys(keys uuid[], key_epochs bigint[], the_instances uuid[], instance_epochs bigint[]) returns uuid[]
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select coalesce(array_agg(asked.key_id), '{}') from unnest(keys, key_epochs, the_instances, instance_epochs)
      as asked(key_id, key_epoch, instance_id, instance_epoch)
    where not exists (
      select from api_keys k join instances i using (instance_id)
      where k.key_id = asked.key_id and k.epoch = asked.key_epoch and k.status <> 'REVOKED' and (k.expires_at is null or k.expires_at > now())
        and i.instance_id = asked.instance_id and i.epoch = asked.instance_epoch and i.status = 'ACTIVE');
  end;
revoke all on function tally_stale_keys(uuid[], bigint[], uuid[], bigint[]) from public;
grant execute on function tally_stale_keys(uuid[], bigint[], uuid[], bigint[]) to tally_api;
alter function tally_stale_keys(uuid[], bigint[], uuid[], bigint[]) owner to tally_auth;
revoke create on schema public from tally_auth;
