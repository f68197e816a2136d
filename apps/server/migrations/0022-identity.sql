-- What an instance recorded about the identities it verified and revoked: one row per event, so that a reorg takes it away with its
-- event. Personal data is never stored; the country is what the registry holds as a number.
create table identity_records (
  instance_id uuid not null references instances,
  chain_id bigint not null,
  registry text not null check (registry ~ '^0x[0-9a-f]{40}$'),
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  tx_hash text not null,
  log_index integer not null,
  status text not null check (status in ('verified', 'revoked')),
  country text check (country ~ '^[A-Z]{3}$'),
  investor_type text,
  recorded_at timestamptz not null,
  -- A batch tells of many wallets in one transaction; each has an event of its own.
  primary key (instance_id, chain_id, registry, wallet, tx_hash, log_index)
);
select tally_tenant_table('identity_records');

-- Which proof backs which claim. The claim counts as backed as long as the event that filed it stands and the slot was not filled anew.
create table identity_proofs (
  instance_id uuid not null references instances,
  chain_id bigint not null,
  registry text not null check (registry ~ '^0x[0-9a-f]{40}$'),
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  slot integer not null check (slot between 0 and 7),
  tx_hash text not null,
  log_index integer not null,
  field_name text not null,
  proof_digest text not null,
  data_hash text not null,
  recorded_at timestamptz not null,
  primary key (instance_id, chain_id, registry, wallet, slot, tx_hash, log_index)
);
select tally_tenant_table('identity_proofs');

-- What was taken out of the ledger, by which revocation. Kept for the record.
create table identity_audit (
  instance_id uuid not null references instances,
  chain_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  registry text not null,
  wallet text not null,
  slot integer not null check (slot between 0 and 7),
  action text not null check (action = 'REVOKE_CLAIM'),
  -- The rows of identity_proofs, as they were.
  removed jsonb not null,
  recorded_at timestamptz not null,
  primary key (instance_id, chain_id, registry, wallet, slot, tx_hash, log_index)
);
select tally_tenant_table('identity_audit');
revoke delete on identity_audit from tally_api;

-- A key that is good but for its instance: one route tells its holder so.
grant create on schema public to tally_auth;
create function tally_find_key_of_gone_instance(wanted_ref text) returns table (secret_sha256 bytea)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select k.secret_sha256 from api_keys k join instances i using (instance_id)
    where k.ref = wanted_ref and k.status <> 'REVOKED' and (k.expires_at is null or k.expires_at > now()) and i.status <> 'ACTIVE';
  end;
revoke all on function tally_find_key_of_gone_instance(text) from public;
grant execute on function tally_find_key_of_gone_instance(text) to tally_api;
alter function tally_find_key_of_gone_instance(text) owner to tally_auth;
revoke create on schema public from tally_auth;
