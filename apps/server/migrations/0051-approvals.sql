-- A second person: what is built in a session is given out once somebody else has approved it.
create table approval_policies (
  instance_id uuid primary key references instances,
  second_person boolean not null,
  -- It takes two admins to end it: who asked first. Somebody who is removed has not asked.
  end_asked_by uuid references users on delete set null,
  end_asked_at timestamptz,
  changed_at timestamptz not null
);
select tally_tenant_table('approval_policies');

alter table built_transactions
  -- Of the key that the session of the maker was begun with.
  add column maker_key_id uuid,
  -- Until then it can be decided upon, and once it is approved, signed. Null: nobody has to.
  add column approval_until timestamptz,
  add column decision text check (decision in ('APPROVED', 'REJECTED')),
  add column decided_by uuid,
  add column decided_by_name text,
  add column decided_at timestamptz,
  add column decision_reason text,
  add constraint built_transactions_decided check (
    (decision is null) = (decided_by is null) and (decision is null) = (decided_by_name is null) and (decision is null) = (decided_at is null)
    and (decision is null or approval_until is not null)),
  add constraint built_transactions_rejected check ((decision_reason is not null) = (decision is not distinct from 'REJECTED'));
