-- What opens one stream, once, where a key or a session has asked for it: a page cannot send a header along with a stream.
create table stream_tickets (
  instance_id uuid not null references instances,
  ticket_sha256 bytea primary key check (length(ticket_sha256) = 32),
  -- Whose rights the stream has: a key, or a session.
  key_id uuid not null references api_keys on delete cascade,
  path text not null,
  expires_at timestamptz not null
);
create index stream_tickets_by_end on stream_tickets (expires_at);
create index stream_tickets_of_key on stream_tickets (key_id);
select tally_tenant_table('stream_tickets');
