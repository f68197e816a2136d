-- The relayer of an instance signs and submits for it. Where its key is stands here, the key itself never does. One role of its own hands
-- out nonces and looks after what was signed, across instances; an instance reads its rows, and writes what it may decide.

do $$
begin
  if not exists (select from pg_roles where rolname = 'tally_relayer') then
    create role tally_relayer nologin noinherit;
  end if;
  if not pg_has_role(current_user, 'tally_relayer', 'set') then
    grant tally_relayer to current_user with inherit false, set true;
  end if;
  grant usage on schema public to tally_relayer;
end
$$;

create table relayers (
  instance_id uuid primary key references instances,
  chain_id bigint not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  -- Names of files in the folder of keystores, or the address of a signer.
  keystore_file text,
  password_file text,
  remote_url text,
  daily_tx_limit integer not null default 100 check (daily_tx_limit between 1 and 10000),
  -- Wei: gas limit times fee.
  max_gas_per_tx numeric(78, 0) check (max_gas_per_tx > 0),
  frozen_at timestamptz,
  -- Null: reckoned from the chain and from what is on its way.
  next_nonce bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((keystore_file is null) <> (remote_url is null)),
  -- An account has one row of nonces, so that two relayers must not share it.
  unique (chain_id, address)
);

-- One nonce of a relayer, and what it is used for.
create table relays (
  instance_id uuid not null references instances,
  relay_id uuid not null,
  chain_id bigint not null,
  sender text not null check (sender ~ '^0x[0-9a-f]{40}$'),
  nonce bigint not null check (nonce >= 0),
  -- FILL: nothing but the nonce is used.
  kind text not null check (kind in ('CALL', 'FILL')),
  purpose text not null,
  target text not null check (target ~ '^0x[0-9a-f]{40}$'),
  calldata text not null,
  value numeric(78, 0) not null,
  -- RESERVED: nothing is signed yet. LOST: the nonce was used by a transaction that is not on record.
  state text not null check (state in ('RESERVED', 'SIGNED', 'MINED', 'LOST')),
  -- Who is about to sign, and since when. Null: nobody, and whoever comes next may.
  claim uuid,
  claimed_at timestamptz,
  created_at timestamptz not null,
  -- When nothing could undo the outcome any more.
  settled_at timestamptz,
  primary key (instance_id, relay_id),
  check ((claim is null) = (claimed_at is null)),
  check (state = 'RESERVED' or claim is null),
  check (settled_at is null or state in ('MINED', 'LOST'))
);
create unique index relays_nonces on relays (chain_id, sender, nonce) where state in ('RESERVED', 'SIGNED');
create index relays_unsettled on relays (chain_id, sender, nonce) where settled_at is null;
create index relays_by_day on relays (instance_id, created_at);

-- Every transaction that was signed for a nonce: the first one and its replacements. At most one of them is ever mined.
create table relay_attempts (
  instance_id uuid not null references instances,
  attempt_id uuid not null,
  relay_id uuid not null,
  ordinal integer not null,
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- As it is broadcast: stored before any node sees it.
  raw text not null,
  kind text not null check (kind in ('CALL', 'FILL')),
  gas_limit numeric(78, 0) not null,
  max_fee_per_gas numeric(78, 0) not null,
  -- Null: the chain knows one price of gas only.
  max_priority_fee_per_gas numeric(78, 0),
  status text not null check (status in ('pending', 'confirmed', 'failed', 'replaced')),
  replaced_by text,
  reason text,
  block_number numeric(78, 0),
  block_hash text,
  gas_used numeric(78, 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it was last handed to a node, when a node first took it, and what the last node said that did not.
  sent_at timestamptz,
  taken_at timestamptz,
  refused_as text,
  primary key (instance_id, attempt_id),
  unique (instance_id, relay_id, ordinal),
  foreign key (instance_id, relay_id) references relays on delete cascade
);
create index relay_attempts_by_hash on relay_attempts (tx_hash);

do $$
declare
  target text;
begin
  foreach target in array array['relayers', 'relays', 'relay_attempts'] loop
    perform tally_tenant_table(target::regclass);
    execute format('create policy relayer on %I to tally_relayer using (true) with check (true)', target);
    execute format('grant select, insert, update, delete on %I to tally_relayer', target);
    execute format('revoke insert, update, delete on %I from tally_api', target);
  end loop;
end
$$;
grant update (daily_tx_limit, max_gas_per_tx, frozen_at, updated_at) on relayers to tally_api;
grant update (state, claim, claimed_at) on relays to tally_api;
grant insert on relay_attempts to tally_api;
