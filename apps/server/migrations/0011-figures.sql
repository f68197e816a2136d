-- How far the follower has come is no secret: an instance that reads facts also reads up to which block they are complete.
create policy readers on chain_cursors for select to tally_api using (tally_instance() is not null);
grant select on chain_cursors to tally_api;

create policy readers on watched_contracts for select to tally_api using (exists (select from contract_access a
  where a.instance_id = tally_instance() and a.chain_id = watched_contracts.chain_id and a.address = watched_contracts.address));
grant select on watched_contracts to tally_api;
