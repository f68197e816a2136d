-- Pledges that are no longer backed: what a token shows frozen or held is less than the liens on it. Found by the lien watcher.
create table lien_shortfalls (
  shortfall_id uuid primary key,
  chain_id bigint not null,
  adapter text not null check (adapter ~ '^0x[0-9a-f]{40}$'),
  -- Whose wallet is short: the borrower's where pledges are frozen, the adapter's own where they lie in custody.
  holder text not null check (holder ~ '^0x[0-9a-f]{40}$'),
  token text not null,
  -- What all liens on this wallet claim together, and what is there; of the claim, the part of this adapter.
  expected numeric(78, 0) not null,
  found numeric(78, 0) not null,
  pledged numeric(78, 0) not null,
  -- The block that showed it first. When a reorg takes that block away, the shortfall is judged anew.
  block_number numeric(78, 0) not null,
  block_hash text not null,
  noticed_at timestamptz not null,
  -- Null while it is open.
  healed_at timestamptz,
  -- The block that showed it was reorganized away, and with it the shortfall: it never was.
  undone boolean not null default false,
  check (found < expected)
);
create unique index lien_shortfalls_open on lien_shortfalls (chain_id, adapter, holder) where healed_at is null;
create index lien_shortfalls_newest on lien_shortfalls (chain_id, adapter, noticed_at desc);
select tally_chain_table('lien_shortfalls', 'adapter');

-- The last look at the liens of an adapter. A watcher that stopped is told by the age of this row.
create table lien_checks (
  chain_id bigint not null,
  adapter text not null check (adapter ~ '^0x[0-9a-f]{40}$'),
  block_number numeric(78, 0) not null,
  block_time bigint not null,
  checked_at timestamptz not null,
  -- Wallets that were compared, and those whose token did not answer.
  wallets integer not null,
  unread integer not null,
  primary key (chain_id, adapter)
);
select tally_chain_table('lien_checks', 'adapter');

-- Whose turn it was: the worker that moves the turn writes what it found, every other one drops it.
create table watch_turns (
  chain_id bigint not null,
  job text not null check (job in ('LIENS', 'ALERTS')),
  turn bigint not null,
  moved_at timestamptz not null,
  primary key (chain_id, job)
);
select tally_chain_table('watch_turns');

-- What an instance wants to be told about a market, and where.
create table hooks (
  instance_id uuid not null references instances,
  hook_id uuid not null,
  market_id uuid not null,
  name text not null check (length(name) between 1 and 128),
  kind text not null check (kind in ('HEALTH_BELOW', 'DUE_WITHIN', 'PRICE_OLDER_THAN', 'LIEN_SHORTFALL', 'LOAN_SEIZED', 'FACT_ORPHANED')),
  -- A health factor with 18 decimals, or seconds; null where the kind knows none.
  threshold numeric(78, 0),
  url text not null check (length(url) <= 2048),
  -- Signs what is sent, so it must be known here; it is shown once and never again.
  secret text not null,
  active boolean not null,
  -- The receiver answered that it is gone for good.
  gone_at timestamptz,
  -- Since when it watches: what happened before is no news.
  armed_at timestamptz not null,
  armed_block numeric(78, 0) not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (instance_id, hook_id),
  foreign key (instance_id, market_id) references market_records on delete cascade,
  check ((threshold is null) = (kind in ('LIEN_SHORTFALL', 'LOAN_SEIZED', 'FACT_ORPHANED')))
);
create index hooks_by_market on hooks (instance_id, market_id, created_at);
select tally_tenant_table('hooks');

-- What a hook has told and what still holds: it tells it again only after this row is gone.
create table hook_states (
  instance_id uuid not null references instances,
  hook_id uuid not null,
  subject text not null,
  since timestamptz not null,
  primary key (instance_id, hook_id, subject),
  foreign key (instance_id, hook_id) references hooks on delete cascade
);
select tally_tenant_table('hook_states');

-- What is to be sent, and the log of what was: written in the transaction that finds the event.
create table hook_deliveries (
  instance_id uuid not null references instances,
  delivery_id uuid not null,
  hook_id uuid not null,
  -- The receiver knows a message it had already by this: the same at every attempt.
  webhook_id text not null,
  type text not null,
  -- The bytes that are signed and sent.
  body text not null,
  status text not null check (status in ('PENDING', 'RETRYING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  -- While an attempt runs: when another worker may take it over.
  due_at timestamptz,
  response_code integer,
  duration_ms integer,
  error text,
  redelivery_of uuid,
  created_at timestamptz not null,
  attempted_at timestamptz,
  delivered_at timestamptz,
  primary key (instance_id, delivery_id),
  foreign key (instance_id, hook_id) references hooks on delete cascade,
  check ((due_at is null) = (status in ('DELIVERED', 'FAILED')))
);
create index hook_deliveries_due on hook_deliveries (due_at) where due_at is not null;
create index hook_deliveries_by_hook on hook_deliveries (instance_id, hook_id, delivery_id desc);
create index hook_deliveries_by_age on hook_deliveries (created_at);
select tally_tenant_table('hook_deliveries');
