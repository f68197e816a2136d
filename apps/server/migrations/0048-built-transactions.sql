-- What people asked to be built in the console: to be found again, whatever became of the page that asked.
create table built_transactions (
  instance_id uuid not null references instances,
  transaction_id uuid primary key,
  -- As they were called then; the session is long over when somebody reads it.
  maker_name text not null,
  maker_user_id uuid,
  operation text not null,
  summary text not null,
  path text not null,
  body jsonb,
  chain_id bigint not null,
  calls jsonb not null,
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  built_at timestamptz not null,
  sent_at timestamptz,
  check ((tx_hash is null) = (sent_at is null))
);
create index built_transactions_of_instance on built_transactions (instance_id, built_at desc, transaction_id desc);
create index built_transactions_by_age on built_transactions (built_at);
select tally_tenant_table('built_transactions');
