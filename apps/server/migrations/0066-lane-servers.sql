-- The servers that match, for each other: lanes spread over those that are there. Advice only; what decides is the epoch of a lane.
create table lane_servers (
  name text primary key,
  -- Where the others reach it.
  url text not null,
  here_until timestamptz not null
);
select tally_guard('lane_servers');
create policy venue on lane_servers to tally_venue using (true) with check (true);
grant select, insert, update, delete on lane_servers to tally_venue;
