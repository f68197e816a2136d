-- Whoever asks for a lane that is somebody else's is told so without a lock on it: its owner's commits wait for nobody, and would have taken
-- that lock for a lane that was moved under them.
create or replace function tally_own_lane(me text, url text, lease interval) returns table (epoch bigint, sequence bigint) language plpgsql as $$
declare
  held lanes;
begin
  perform from lanes l where l.lane_id = tally_lane() and l.owner <> me and l.lease_until > clock_timestamp();
  if found then
    return;
  end if;
  held := tally_hold_lane();
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
