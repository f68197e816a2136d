-- Who may read the facts of a contract: an instance gains access when it records something about it.
create table contract_access (
  instance_id uuid not null references instances,
  chain_id bigint not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  granted_at timestamptz not null,
  primary key (instance_id, chain_id, address)
);
select tally_tenant_table('contract_access');

-- Contracts whose events the follower reads, and how far it got with each.
create table watched_contracts (
  chain_id bigint not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  -- Names the set of calls whose events this contract emits.
  kind text not null,
  scanned_to numeric(78, 0) not null,
  primary key (chain_id, address)
);
select tally_chain_table('watched_contracts');

-- Verified events, stored once for all instances. Everything else that comes from the chain can be rebuilt from here.
create table chain_logs (
  chain_id bigint not null,
  tx_hash text not null,
  -- Counted within the transaction: unlike the index within the block, it stays when a reorg moves the transaction elsewhere.
  log_index integer not null,
  -- The index within the block that holds it now: with the block number, the order in which things happened.
  block_log_index integer not null,
  address text not null,
  topics text[] not null,
  data text not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  block_time bigint not null,
  tx_from text not null,
  finality text not null check (finality in ('MINED', 'SAFE', 'FINALIZED', 'ORPHANED')),
  primary key (chain_id, tx_hash, log_index)
);
create index chain_logs_open on chain_logs (chain_id, block_number) where finality in ('MINED', 'SAFE');
create index chain_logs_by_contract on chain_logs (chain_id, address, block_number, block_log_index);
select tally_chain_table('chain_logs', 'address');

-- What the events mean: one row per effect of a known call, derived from chain_logs.
create table chain_facts (
  fact_id uuid primary key,
  chain_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  subject text not null,
  operation text not null,
  effect jsonb not null,
  foreign key (chain_id, tx_hash, log_index) references chain_logs on delete cascade,
  unique (chain_id, tx_hash, log_index, operation)
);
create index chain_facts_by_subject on chain_facts (chain_id, subject, operation);
select tally_chain_table('chain_facts', 'subject');

-- Facts that stand on chain now; orphaned ones are kept for the record but nobody reads them as true.
create view chain_live_facts with (security_invoker = true) as
  select f.*, l.block_number, l.block_hash, l.block_time, l.block_log_index, l.finality
  from chain_facts f join chain_logs l using (chain_id, tx_hash, log_index) where l.finality <> 'ORPHANED';
grant select on chain_live_facts to tally_api, tally_chain, tally_operator;

-- An instance's own record of a fact: unique per (instance, operation, chain, transaction, log index).
create table recordings (
  instance_id uuid not null references instances,
  operation text not null,
  chain_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  verified_by text not null check (verified_by in ('call', 'receipt-log')),
  recorded_at timestamptz not null,
  primary key (instance_id, operation, chain_id, tx_hash, log_index)
);
select tally_tenant_table('recordings');
-- The verifier and the follower keep recordings in step with the facts.
create policy chain on recordings to tally_chain using (true) with check (true);
grant select, insert, update, delete on recordings to tally_chain;
create policy chain on contract_access to tally_chain using (true) with check (true);
grant select, insert on contract_access to tally_chain;

-- What the follower saw, so that a reorg is recognised by a hash that changed.
create table chain_blocks (
  chain_id bigint not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  primary key (chain_id, block_number)
);
select tally_chain_table('chain_blocks');

create table chain_cursors (
  chain_id bigint primary key,
  genesis_hash text not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  moved_at timestamptz not null
);
select tally_chain_table('chain_cursors');

-- What happened to recorded facts behind a caller's back: a reorg undid or brought back an effect.
create table chain_notices (
  notice_id uuid primary key,
  chain_id bigint not null,
  subject text not null,
  kind text not null check (kind in ('FACT_ORPHANED', 'FACT_RESTORED')),
  tx_hash text not null,
  log_index integer not null,
  operation text not null,
  noticed_at timestamptz not null
);
create index chain_notices_by_subject on chain_notices (chain_id, subject, noticed_at);
select tally_chain_table('chain_notices', 'subject');

-- Contracts of this deployment, per chain: written by its operator, read by everyone.
create table deployed_contracts (
  chain_id bigint not null,
  name text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  recorded_at timestamptz not null,
  primary key (chain_id, name)
);
select tally_guard('deployed_contracts');
create policy everyone on deployed_contracts for select to tally_api, tally_chain using (true);
grant select on deployed_contracts to tally_api, tally_chain;
