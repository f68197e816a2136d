-- Contracts that another one named as a part of it, by its own events: who may read what is shared about the whole may read the part's.
create table contract_parts (
  chain_id bigint not null,
  whole text not null check (whole ~ '^0x[0-9a-f]{40}$'),
  part text not null check (part ~ '^0x[0-9a-f]{40}$'),
  primary key (chain_id, whole, part)
);
select tally_chain_table('contract_parts', 'whole');
