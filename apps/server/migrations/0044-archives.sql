-- What was taken out of the journals and put into files, and up to where. The files are the operator's to keep.
create table archives (
  archive_id uuid primary key,
  -- Its name, without the folder.
  file text not null,
  sha256 text not null unique,
  older_than timestamptz not null,
  created_at timestamptz not null
);
select tally_guard('archives');

-- One row per journal that an archive has a part of, written in the transaction that deletes that part.
create table archive_parts (
  archive_id uuid not null references archives,
  kind text not null check (kind in ('UNIT', 'LANE', 'RFQ')),
  -- The unit, the lane, or the instance.
  subject_id uuid not null,
  first_place bigint not null,
  last_place bigint not null,
  -- Heads of the journal of a unit, before the first and after the last entry.
  before_hash text,
  after_hash text,
  deleted_rows bigint not null,
  deleted_at timestamptz not null,
  primary key (archive_id, kind, subject_id)
);
select tally_guard('archive_parts');

-- The last entry that is in an archive and no more here; 0: none.
alter table matching_units add column archived_sequence bigint not null default 0, add column archived_hash text,
  add check ((archived_sequence = 0) = (archived_hash is null));

-- The same of what happened to the requests for quote of an instance.
create table rfq_archived (
  instance_id uuid primary key references instances,
  number bigint not null check (number > 0)
);
select tally_tenant_table('rfq_archived');
revoke insert, update, delete on rfq_archived from tally_api;
