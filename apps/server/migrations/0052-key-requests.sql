-- The last requests of every key: for whoever asks whether a key is still used, and what it was refused. The newest 200 of each are kept.
create table key_requests (
  instance_id uuid not null references instances,
  key_id uuid not null,
  request_id text not null,
  requested_at timestamptz not null,
  method text not null,
  -- The form of the path: what was asked about stands nowhere.
  path text not null,
  status integer not null,
  duration_ms integer not null,
  primary key (instance_id, key_id, requested_at, request_id)
);
select tally_tenant_table('key_requests');
