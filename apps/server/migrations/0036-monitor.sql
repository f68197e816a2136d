-- Promises of the contracts that a look at the chain found broken, and when they held again.
create table invariant_breaks (
  chain_id bigint not null,
  break_id uuid primary key,
  contract text not null check (contract ~ '^0x[0-9a-f]{40}$'),
  invariant text not null,
  detail text not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  opened_at timestamptz not null,
  healed_at timestamptz
);
create unique index invariant_breaks_open on invariant_breaks (chain_id, contract, invariant) where healed_at is null;
select tally_chain_table('invariant_breaks');
