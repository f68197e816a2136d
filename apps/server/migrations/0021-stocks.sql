-- The stock tokens of an instance: what it proved of their deployment, and what it calls them.
create table stock_tokens (
  instance_id uuid not null references instances,
  chain_id bigint not null,
  token_address text not null check (token_address ~ '^0x[0-9a-f]{40}$'),
  factory text not null check (factory ~ '^0x[0-9a-f]{40}$'),
  name text not null check (length(name) between 1 and 100),
  symbol text not null,
  isin text not null,
  decimals integer not null check (decimals between 0 and 18),
  metadata_uri text,
  issuer_address text not null check (issuer_address ~ '^0x[0-9a-f]{40}$'),
  -- Null: who authorises upgrades is none of those the caller named.
  legal_operator_address text check (legal_operator_address ~ '^0x[0-9a-f]{40}$'),
  compliance_module text not null check (compliance_module ~ '^0x[0-9a-f]{40}$'),
  -- The token is there as long as the event of its deployment in this transaction stands.
  deploy_tx text not null,
  recorded_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (instance_id, token_address)
);
create index stock_tokens_newest on stock_tokens (instance_id, recorded_at desc, token_address);
select tally_tenant_table('stock_tokens');

-- Reasons too long to stand on chain: the chain has the hash, the instance that gave it keeps the words.
create table stock_reasons (
  instance_id uuid not null references instances,
  reason_hash text not null check (reason_hash ~ '^0x[0-9a-f]{64}$'),
  words text not null,
  given_at timestamptz not null,
  primary key (instance_id, reason_hash)
);
select tally_tenant_table('stock_reasons');
