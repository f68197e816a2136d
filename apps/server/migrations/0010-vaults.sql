-- Vaults that an instance created or took down: where the money of its investors lies. What they do stands in chain_facts.
create table vault_records (
  instance_id uuid not null references instances,
  vault_id uuid not null,
  chain_id bigint not null,
  vault_address text not null check (vault_address ~ '^0x[0-9a-f]{40}$'),
  name text not null,
  symbol text not null,
  asset text not null,
  asset_symbol text not null,
  asset_decimals integer not null check (asset_decimals between 0 and 36),
  created_at timestamptz not null,
  -- Its event is the proof that the vault stands: the record counts as long as that does.
  deploy_tx text not null,
  primary key (instance_id, vault_id)
);
create unique index vault_records_one_per_vault on vault_records (instance_id, chain_id, vault_address);
select tally_tenant_table('vault_records');
