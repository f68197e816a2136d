create table token_imports (
  instance_id uuid not null references instances,
  import_id uuid not null,
  chain_id bigint not null,
  token_address text not null check (token_address ~ '^0x[0-9a-f]{40}$'),
  name text not null,
  symbol text not null check (length(symbol) <= 16),
  decimals integer not null check (decimals between 0 and 77),
  framework text not null check (framework in ('erc3643', 'erc1400', 'erc721', 'erc1155', 'erc20')),
  total_supply_raw numeric(78, 0) not null check (total_supply_raw >= 0),
  facts jsonb not null,
  evidence jsonb not null,
  asset_type text not null,
  image_uri text,
  profile jsonb,
  status text not null check (status in ('ACTIVE', 'REVOKED')),
  imported_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  primary key (instance_id, import_id),
  check ((status = 'REVOKED') = (revoked_at is not null))
);
create unique index token_imports_one_active on token_imports (instance_id, token_address) where status = 'ACTIVE';
create index token_imports_newest on token_imports (instance_id, imported_at desc, import_id desc) where status = 'ACTIVE';
select tally_tenant_table('token_imports');
