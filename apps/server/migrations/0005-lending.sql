-- Markets as they were deployed: what never changes is kept here and not read from the chain again.
create table lending_markets (
  chain_id bigint not null,
  market_address text not null check (market_address ~ '^0x[0-9a-f]{40}$'),
  factory text not null,
  deployer text not null,
  collateral_token text not null,
  collateral_name text not null,
  collateral_symbol text not null,
  collateral_decimals integer not null check (collateral_decimals between 0 and 36),
  collateral_framework text,
  collateral_isin text,
  -- The register that the collateral token itself asks, when it has one.
  token_registry text,
  borrow_asset text not null,
  borrow_symbol text not null,
  borrow_decimals integer not null check (borrow_decimals between 6 and 18),
  mode text not null check (mode in ('FREEZE', 'CUSTODY')),
  price_source text not null check (price_source in ('NAV', 'MARKET')),
  oracle text not null,
  rate_model text not null,
  insurance_fund text not null,
  adapter text not null,
  router text not null,
  -- One of our own stock tokens: then the market is also served under the prefix for stocks.
  is_own_stock boolean not null default false,
  deployed_block numeric(78, 0) not null,
  deployed_at timestamptz not null,
  deploy_tx text not null,
  -- False after a reorg took the deployment away.
  is_live boolean not null default true,
  primary key (chain_id, market_address)
);
select tally_chain_table('lending_markets', 'market_address');

-- An instance's own record of a market: the id that its routes take. Without an address: built, but not deployed yet.
create table market_records (
  instance_id uuid not null references instances,
  market_id uuid not null,
  chain_id bigint not null,
  market_address text check (market_address ~ '^0x[0-9a-f]{40}$'),
  origin text not null check (origin in ('DEPLOYED', 'ADOPTED')),
  collateral_token text not null,
  borrow_asset text not null,
  mode text not null check (mode in ('FREEZE', 'CUSTODY')),
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (instance_id, market_id)
);
create unique index market_records_one_per_market on market_records (instance_id, chain_id, market_address) where market_address is not null;
create unique index market_records_one_active on market_records (instance_id, chain_id, collateral_token, mode, borrow_asset)
  where archived_at is null and origin = 'DEPLOYED';
select tally_tenant_table('market_records');

-- The exact bytes behind a content hash. Built by an instance; shared with everybody who may see the market.
create table asset_bundles (
  chain_id bigint not null,
  market_address text not null,
  content_hash text not null check (content_hash ~ '^0x[0-9a-f]{64}$'),
  schema_version text not null,
  canonical_json text not null,
  stored_at timestamptz not null,
  primary key (chain_id, market_address, content_hash)
);
select tally_chain_table('asset_bundles', 'market_address');

-- The bytes of a market that has no address yet.
create table draft_bundles (
  instance_id uuid not null references instances,
  content_hash text not null check (content_hash ~ '^0x[0-9a-f]{64}$'),
  schema_version text not null,
  canonical_json text not null,
  stored_at timestamptz not null,
  primary key (instance_id, content_hash)
);
select tally_tenant_table('draft_bundles');

-- Terms of use of the lender of record, per market and not per instance. A version is never changed.
create table market_terms (
  chain_id bigint not null,
  market_address text not null,
  version integer not null check (version > 0),
  terms_id uuid not null,
  title text,
  content text not null,
  content_hash text not null,
  provides_for_extensions boolean not null,
  author text not null,
  published boolean not null,
  -- The version that is in force, if any is.
  is_current boolean not null,
  created_at timestamptz not null,
  published_at timestamptz,
  primary key (chain_id, market_address, version)
);
create unique index market_terms_one_current on market_terms (chain_id, market_address) where is_current;
select tally_chain_table('market_terms', 'market_address');

-- Prices that somebody signed and reported, before or without pushing them on chain.
create table price_attestations (
  chain_id bigint not null,
  oracle text not null,
  attestation_id uuid not null,
  price_raw numeric(78, 0) not null,
  attested_at bigint not null,
  valid_until bigint not null,
  signer text not null,
  signature text not null,
  -- Whose instance reported it: only that one may have it pushed with a sync.
  reported_by uuid not null,
  created_at timestamptz not null,
  primary key (chain_id, oracle, attestation_id),
  unique (chain_id, oracle, signature)
);
select tally_chain_table('price_attestations', 'oracle');
