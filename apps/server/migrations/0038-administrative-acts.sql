-- What was administered, by whom: one row for each act, in the commit of the act itself. Rows are added and never changed.
create table administrative_acts (
  act_id uuid primary key default gen_random_uuid(),
  -- Null: an act upon the deployment, which no instance reads.
  instance_id uuid references instances,
  actor text not null check (actor in ('key', 'operator')),
  key_id uuid,
  -- As it was called then.
  key_name text,
  os_user text,
  operation text not null,
  subject text not null,
  -- The fields that changed. Never a secret, a key or the hash of one.
  before jsonb,
  after jsonb,
  request_id text,
  -- Of the database, so that the acts of all replicas are told by one clock.
  acted_at timestamptz not null default clock_timestamp(),
  check ((actor = 'key') = (key_id is not null)),
  check ((actor = 'key') = (key_name is not null)),
  check ((actor = 'key') = (request_id is not null)),
  check ((actor = 'operator') = (os_user is not null)),
  check (actor = 'operator' or instance_id is not null)
);
create index administrative_acts_of_instance on administrative_acts (instance_id, acted_at desc, act_id desc);
create index administrative_acts_by_time on administrative_acts (acted_at desc, act_id desc);
select tally_tenant_table('administrative_acts');
revoke update, delete on administrative_acts from tally_api, tally_operator;

-- Also for roles that no grant binds.
create function tally_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger administrative_acts_stay before update or delete or truncate on administrative_acts
  for each statement execute function tally_refuse_change();
