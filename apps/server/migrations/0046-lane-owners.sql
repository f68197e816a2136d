-- Where the process that has a lane can be asked by the others, so that they need not take it from it.
alter table lanes add column owner_url text;

create function tally_own_lane(me text, url text, lease interval) returns table (epoch bigint, sequence bigint) language plpgsql as $$
declare
  held lanes := tally_hold_lane();
begin
  if held.owner is distinct from me then
    if held.lease_until > clock_timestamp() then
      return;
    end if;
    held.epoch := held.epoch + 1;
  end if;
  update lanes l set epoch = held.epoch, owner = me, owner_url = url, lease_until = clock_timestamp() + lease where l.lane_id = held.lane_id;
  return query select held.epoch, held.sequence;
end
$$;

-- What servers of the release before call: they cannot be asked.
create or replace function tally_own_lane(me text, lease interval) returns table (epoch bigint, sequence bigint) language sql as $$
  select epoch, sequence from tally_own_lane(me, null, lease)
$$;
