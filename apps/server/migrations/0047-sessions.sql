-- People: users of an instance, who sign in with their wallets, and the sessions of a browser.
create table users (
  instance_id uuid not null references instances,
  user_id uuid primary key,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  name text not null,
  role text not null check (role in ('viewer', 'operator', 'approver', 'admin')),
  created_at timestamptz not null,
  unique (instance_id, address)
);
create index users_by_address on users (address);
select tally_tenant_table('users');

-- A session enters where keys do: it is a row of api_keys whose secret never was a key. The hash of a session is made another way, so that
-- neither is accepted for the other.
alter table api_keys add column is_session boolean not null default false;

create table sessions (
  instance_id uuid not null references instances,
  session_id uuid primary key references api_keys on delete cascade,
  -- Who signed in: a user, or the holder of a key.
  user_id uuid references users on delete cascade,
  parent_key_id uuid references api_keys,
  user_agent text,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- The end of api_keys.expires_at, which moves with every use, never goes beyond this one.
  ends_at timestamptz not null,
  check ((user_id is null) <> (parent_key_id is null))
);
create index sessions_of_instance on sessions (instance_id, created_at desc);
create index sessions_of_user on sessions (user_id) where user_id is not null;
create index sessions_of_key on sessions (parent_key_id) where parent_key_id is not null;
select tally_tenant_table('sessions');

-- A key that is revoked takes its sessions along, whoever revokes it.
create function tally_end_sessions_of_key() returns trigger language plpgsql as $$
begin
  update api_keys k set status = 'REVOKED', revoked_at = new.revoked_at, epoch = k.epoch + 1
    from sessions s where s.parent_key_id = new.key_id and k.key_id = s.session_id and k.status <> 'REVOKED';
  return null;
end
$$;
create trigger api_keys_end_sessions after update of status on api_keys for each row
  when (new.status = 'REVOKED' and old.status <> 'REVOKED' and not new.is_session) execute function tally_end_sessions_of_key();

-- What wallets are asked to sign before anybody knows whose they are: of no instance.
create table sign_in_challenges (
  nonce text primary key,
  address text not null,
  chain_id bigint not null,
  domain text not null,
  message text not null,
  expires_at timestamptz not null
);
select tally_guard('sign_in_challenges');

-- An act of a user: who it was, instead of a key.
alter table administrative_acts
  add column user_id uuid,
  add column user_name text,
  drop constraint administrative_acts_actor_check,
  drop constraint administrative_acts_check,
  drop constraint administrative_acts_check1,
  drop constraint administrative_acts_check2,
  drop constraint administrative_acts_check3,
  drop constraint administrative_acts_check4,
  add constraint administrative_acts_actor check (actor in ('key', 'user', 'operator')),
  add constraint administrative_acts_of_key check ((actor = 'key') = (key_id is not null) and (actor = 'key') = (key_name is not null)),
  add constraint administrative_acts_of_user check ((actor = 'user') = (user_id is not null) and (actor = 'user') = (user_name is not null)),
  add constraint administrative_acts_of_operator check ((actor = 'operator') = (os_user is not null)),
  add constraint administrative_acts_requested check ((actor = 'operator') = (request_id is null)),
  add constraint administrative_acts_upon check (actor = 'operator' or instance_id is not null);
