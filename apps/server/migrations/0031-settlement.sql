-- Trades that settle on chain: what backs their orders, what their traders signed, and how each of them ended.

-- The custody contract that a transaction works on, `<chain id>:<address>`.
create function tally_custody() returns text language sql stable parallel safe
  return nullif(current_setting('tally.custody', true), '');

-- What is spoken for of a wallet's funds in a custody contract: by open orders, by trades that are not settled, by quotes. It counts for the
-- wallet, whichever instance or book it trades through, in order book units. Written under the lock of the custody contract.
create table custody_reservations (
  chain_id bigint not null,
  custody_contract text not null check (custody_contract ~ '^0x[0-9a-f]{40}$'),
  holder text not null check (holder ~ '^0x[0-9a-f]{40}$'),
  token_address text not null check (token_address ~ '^0x[0-9a-f]{40}$'),
  reserved numeric(78, 0) not null default 0 check (reserved >= 0),
  updated_at timestamptz not null,
  primary key (chain_id, custody_contract, holder, token_address)
);
select tally_guard('custody_reservations');
create policy venue on custody_reservations to tally_venue
  using (chain_id || ':' || custody_contract = tally_custody()) with check (chain_id || ':' || custody_contract = tally_custody());
grant select, insert, update on custody_reservations to tally_venue;
create policy readers on custody_reservations for select to tally_api
  using (holder in (select a.holder from trading_accounts a where a.instance_id = tally_instance()));
grant select on custody_reservations to tally_api;

-- What a trader signed, once for ever: a second order with the same signature would fill what the first one fills. Chain units.
create table signed_orders (
  unit_id uuid not null,
  order_id uuid primary key,
  chain_id bigint not null,
  custody_contract text not null,
  order_hash text not null check (order_hash ~ '^0x[0-9a-f]{64}$'),
  trader text not null,
  token_address text not null,
  quote_token_address text not null,
  is_buy boolean not null,
  quantity numeric(78, 0) not null,
  price numeric(78, 0) not null,
  max_fee numeric(78, 0) not null,
  expiry bigint not null,
  nonce numeric(20, 0) not null,
  salt text not null check (salt ~ '^0x[0-9a-f]{64}$'),
  signature text not null,
  created_at timestamptz not null,
  constraint signed_orders_once unique (chain_id, custody_contract, order_hash)
);
select tally_venue_table('signed_orders');

-- Orders, trades and settlements are written together: a reference would lock a shared row once more.
alter table settlements drop constraint settlements_unit_id_fkey, drop constraint settlements_book_id_fkey;
alter table settlements add column trade_count integer not null default 0;
drop policy readers on settlements;
-- The owner of the maker's book settles; whoever traded may look.
create policy readers on settlements for select to tally_api using (
  book_id in (select a.book_id from book_access a where a.instance_id = tally_instance() and a.active)
  or exists (select from trades t where t.settlement_id = settlements.settlement_id
    and (t.maker_instance_id = tally_instance() or t.taker_instance_id = tally_instance())));

create index trades_staged on trades (unit_id, number) where settlement_id is not null;
create index orders_expiring on orders (expires_at) where expires_at is not null and status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING');
