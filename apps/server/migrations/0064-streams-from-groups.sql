-- Whoever follows a book hears of a commit when it is durable, and not only when its rows are written.

-- The journal of a unit with the groups that are no rows yet: they are committed all the same. Of entries that have rows of their own, only the
-- ends of recent groups are told.
create function tally_committed(the_unit uuid, after bigint, upto bigint)
  returns table (number bigint, body text, hash text, ends_group boolean) language sql stable as $$
  select e.sequence, e.entry, e.hash, e.sequence in (
    select r.last_sequence from (
      select last_sequence from unit_groups where unit_id = the_unit order by version desc limit 200) r)
  from unit_entries e where e.unit_id = the_unit and e.sequence > after and e.sequence <= upto
  union all
  select g.first_entry - 1 + e.nth, e.body, e.hash, g.first_entry - 1 + e.nth = g.last_entry
  from matching_units u
  join lane_groups g on g.unit_id = u.unit_id and g.movements = '' and g.last_entry > after and g.first_entry <= upto
    and g.first_entry > u.archived_sequence
  cross join lateral rows from (string_to_table(g.entries, E'\n'), string_to_table(g.hashes, E'\n')) with ordinality as e(body, hash, nth)
  where u.unit_id = the_unit and g.first_entry - 1 + e.nth > after and g.first_entry - 1 + e.nth <= upto
$$;
