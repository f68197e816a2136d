-- A key in use: who works on it, and until when that is believed. The row goes with the answer it leads to, in the same commit, so that
-- of two who think the claim is theirs only one can commit.
create table idempotency_claims (
  instance_id uuid not null references instances,
  operation text not null,
  idempotency_key text not null,
  owner text not null,
  claimed_until timestamptz not null,
  primary key (instance_id, operation, idempotency_key)
);
select tally_tenant_table('idempotency_claims');
