-- Requests for quote. The rows belong to the instance that asked; providers are trading accounts of the same one. All times are those of
-- the database's clock: deadlines are compared with it, after the lock of the request.

create table rfqs (
  instance_id uuid not null references instances,
  rfq_id uuid primary key,
  -- The book that checks the price, and whose unit and owner the trade goes to.
  book_id uuid not null references order_books,
  requester text not null check (requester ~ '^0x[0-9a-f]{40}$'),
  base_token text not null check (base_token ~ '^0x[0-9a-f]{40}$'),
  quote_token text not null check (quote_token ~ '^0x[0-9a-f]{40}$'),
  chain_id bigint not null,
  custody_contract text not null check (custody_contract ~ '^0x[0-9a-f]{40}$'),
  side text not null check (side in ('BUY', 'SELL')),
  base_amount bigint not null check (base_amount > 0),
  status text not null check (status in ('PENDING', 'QUOTED', 'ACCEPTED', 'CANCELLED', 'EXPIRED')),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index rfqs_by_instance on rfqs (instance_id, created_at desc, rfq_id desc);
create index rfqs_open on rfqs (expires_at) where status in ('PENDING', 'QUOTED');
select tally_tenant_table('rfqs');
revoke delete on rfqs from tally_api;

create table rfq_quotes (
  instance_id uuid not null references instances,
  quote_id uuid primary key,
  rfq_id uuid not null references rfqs,
  -- In the order they came.
  number integer not null,
  provider text not null check (provider ~ '^0x[0-9a-f]{40}$'),
  account_id uuid not null references trading_accounts,
  price bigint not null check (price > 0),
  valid_until timestamptz not null,
  -- What is reserved of the provider's funds while the quote is active, in order book units.
  lock_id uuid not null,
  lock_token text not null,
  lock_amount numeric(78, 0) not null check (lock_amount > 0),
  status text not null check (status in ('ACTIVE', 'ACCEPTED', 'EXPIRED', 'WITHDRAWN')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (rfq_id, number)
);
create unique index rfq_quotes_one_active on rfq_quotes (rfq_id, provider) where status = 'ACTIVE';
create unique index rfq_quotes_one_accepted on rfq_quotes (rfq_id) where status = 'ACCEPTED';
create index rfq_quotes_active on rfq_quotes (valid_until) where status = 'ACTIVE';
select tally_tenant_table('rfq_quotes');
revoke delete on rfq_quotes from tally_api;

-- What happened, in the order it was committed: an instance appends under a lock of its own, so that no number shows up behind a later one.
create table rfq_events (
  instance_id uuid not null references instances,
  number bigint not null,
  rfq_id uuid not null references rfqs,
  quote_id uuid,
  status text not null,
  -- The request or the quote as it was then, as it is answered.
  record text not null,
  created_at timestamptz not null,
  primary key (instance_id, number)
);
select tally_tenant_table('rfq_events');
revoke update, delete on rfq_events from tally_api;
