create table instances (
  instance_id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  chain_id bigint not null,
  environment text not null check (environment in ('DEVELOPMENT', 'PRODUCTION')),
  services text[] not null,
  lender_approved boolean not null default false,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'ARCHIVED')),
  -- Rises with every change, so that a cached copy is recognised as stale inside the transaction that relies on it.
  epoch bigint not null default 1,
  created_at timestamptz not null
);
select tally_tenant_table('instances');
revoke insert, update, delete on instances from tally_api;

create table api_keys (
  instance_id uuid not null references instances,
  key_id uuid primary key,
  ref text not null unique check (ref ~ '^[0-9A-Za-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  name text not null,
  scopes text[] not null,
  rate_limit_per_minute integer check (rate_limit_per_minute > 0),
  status text not null check (status in ('ACTIVE', 'PENDING_ROTATION', 'REVOKED')),
  epoch bigint not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_instance on api_keys (instance_id, created_at desc);
select tally_tenant_table('api_keys');

create table register_keys (
  key_id uuid primary key,
  ref text not null unique check (ref ~ '^[0-9A-Za-z]{8}$'),
  secret_sha256 bytea not null check (length(secret_sha256) = 32),
  name text not null,
  status text not null check (status in ('ACTIVE', 'REVOKED')),
  created_at timestamptz not null
);
select tally_guard('register_keys');

create table wallets (
  instance_id uuid not null references instances,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  label text,
  is_primary boolean not null,
  verified_by text not null check (verified_by in ('EIP191', 'ERC1271')),
  verified_at timestamptz not null,
  primary key (instance_id, address)
);
create unique index wallets_one_primary on wallets (instance_id) where is_primary;
select tally_tenant_table('wallets');

create table wallet_challenges (
  instance_id uuid not null references instances,
  nonce text not null,
  address text not null,
  message text not null,
  expires_at timestamptz not null,
  primary key (instance_id, nonce)
);
select tally_tenant_table('wallet_challenges');

create table idempotency_keys (
  instance_id uuid not null references instances,
  operation text not null,
  idempotency_key text not null,
  request_sha256 bytea not null,
  status integer not null,
  -- The answer, byte for byte; sealed with the caller's own secret when the answer holds one.
  answer bytea not null,
  created_at timestamptz not null,
  primary key (instance_id, operation, idempotency_key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
select tally_tenant_table('idempotency_keys');

create table rate_counters (
  instance_id uuid not null references instances,
  key_id uuid not null references api_keys,
  window_start timestamptz not null,
  used integer not null,
  primary key (instance_id, key_id)
);
select tally_tenant_table('rate_counters');

-- Key look-up happens before an instance is known, so it is one function with just enough sight.
grant select on instances, api_keys, register_keys to tally_auth;
create policy lookup on instances for select to tally_auth using (true);
create policy lookup on api_keys for select to tally_auth using (true);
create policy lookup on register_keys for select to tally_auth using (true);

create function tally_find_key(wanted_ref text)
  returns table (
    key_id uuid, key_epoch bigint, secret_sha256 bytea, key_name text, scopes text[], rate_limit_per_minute integer,
    instance_id uuid, instance_epoch bigint, instance_name text, chain_id bigint, environment text, services text[],
    lender_approved boolean, instance_created_at timestamptz
  )
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select k.key_id, k.epoch, k.secret_sha256, k.name, k.scopes, k.rate_limit_per_minute,
           i.instance_id, i.epoch, i.name, i.chain_id, i.environment, i.services, i.lender_approved, i.created_at
    from api_keys k join instances i using (instance_id)
    where k.ref = wanted_ref and k.status <> 'REVOKED' and (k.expires_at is null or k.expires_at > now()) and i.status = 'ACTIVE';
  end;

create function tally_find_register_key(wanted_ref text) returns table (key_id uuid, secret_sha256 bytea)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select k.key_id, k.secret_sha256 from register_keys k where k.ref = wanted_ref and k.status = 'ACTIVE';
  end;

-- Opens the tenant's rows for this transaction. The caller proved the secret against a copy of the key; this proves, in the
-- very transaction that acts, that the copy is still true. SQLSTATE TA001 says it is not.
create function tally_enter(the_key uuid, the_key_epoch bigint, the_instance uuid, the_instance_epoch bigint) returns text
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform from api_keys k join instances i using (instance_id)
    where k.key_id = the_key and k.epoch = the_key_epoch and k.status <> 'REVOKED' and (k.expires_at is null or k.expires_at > now())
      and i.instance_id = the_instance and i.epoch = the_instance_epoch and i.status = 'ACTIVE';
  if not found then
    raise exception 'the key changed since it was looked up' using errcode = 'TA001';
  end if;
  return set_config('tally.instance_id', the_instance::text, true);
end
$$;

revoke all on function tally_find_key(text), tally_find_register_key(text), tally_enter(uuid, bigint, uuid, bigint) from public;
grant execute on function tally_find_key(text), tally_find_register_key(text), tally_enter(uuid, bigint, uuid, bigint) to tally_api;
alter function tally_find_key(text) owner to tally_auth;
alter function tally_find_register_key(text) owner to tally_auth;
alter function tally_enter(uuid, bigint, uuid, bigint) owner to tally_auth;
-- The login role calls it in the statement that takes the role tally_api, where its own right to call is what counts.
set local role tally_auth;
grant execute on function tally_enter(uuid, bigint, uuid, bigint) to session_user;
reset role;
revoke create on schema public from tally_auth;
