-- What a hundred entities are found by: how often a text is in it tells how frequent the text is. Ids are spread evenly over the entities.
create table register_sample (
  is_only boolean primary key default true check (is_only),
  texts text collate "C" not null
);
-- Most searches read it whole: packed, it would have to be unpacked each time.
alter table register_sample alter column texts set storage external;
select tally_register_table('register_sample');

set local role tally_register;
insert into register_sample (texts)
select string_agg(left(s.search_text, 500), '')
from (select e.search_text from register_entities e order by e.entity_id limit 100) s having count(*) > 0;
reset role;

-- The rarest few of a text's grams say nearly as much as all of them, and cost far less to look up. Rare is what the sample has late or
-- not at all.
create function tally_rare_grams(wanted text, sample text) returns text[] language sql immutable parallel safe
  return case when length(wanted) < 3 then array[wanted] else
    array(select g.gram
          from (select substr(wanted, 1 + (length(wanted) - 3) * step / greatest(1, least(9, length(wanted) - 3)), 3) as gram
                from generate_series(0, least(9, length(wanted) - 3)) step) g
          order by nullif(strpos(sample, g.gram), 0) desc nulls first limit 3) end;

-- The first `most` entities in order of tier, name and id. Tiers: 1 whole identifier or name, 2 prefix of a field, 3 prefix of a
-- word, 4 any part.
-- The first `most` by name of those that match in a tier or better are enough of each tier: what is not among them comes later anyway.
-- What is rare is found by its grams and ranked; what is frequent is met soon on a walk through the names. The sample tells which it is,
-- and a wrong guess only takes longer.
create or replace function tally_search_register(wanted text, most integer) returns setof register_hit rows 20
  language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  -- Ranking this many costs about as much as walking until enough match.
  few constant integer := 500 + 10 * most;
  often constant integer := 3;
  after constant text := wanted || U&'\+10FFFF';
  hits register_hit[];
  more register_hit[];
  sample text;
  grams text[];
  parts integer;
  words integer;
begin
  select array_agg(h) into hits from (
    (select (e.entity_id, 1, e.name_key)::register_hit as h from register_entities e
     where e.identifier_key = wanted order by e.name_key, e.entity_id limit most)
    union all
    (select (n.entity_id, 1, n.name_key)::register_hit from register_trade_names n
     where n.trade_key = wanted order by n.name_key, n.entity_id limit most)
    union all
    (select (e.entity_id, case when e.name_key = wanted then 1 else 2 end, e.name_key)::register_hit from register_entities e
     where e.name_key >= wanted and e.name_key < after order by e.name_key, e.entity_id limit most)
    union all
    (select (t.entity_id, 2, t.name_key)::register_hit
     from (select distinct n.name_key, n.entity_id from register_trade_names n where n.trade_key >= wanted and n.trade_key < after) t
     order by t.name_key, t.entity_id limit most)
    union all
    select (e.entity_id, a.tier, e.name_key)::register_hit
    from (select authority_key, tally_register_tier(search_text, null, wanted) as tier
          from register_authorities where strpos(search_text, wanted) > 0) a
    cross join lateral (select f.entity_id, f.name_key from register_entities f where f.authority_key = a.authority_key
                        order by f.name_key, f.entity_id limit most) e
  ) beginnings;
  select array_agg(h) into more from (
    select (e.entity_id, 2, e.name_key)::register_hit as h from register_entities e
    where e.identifier_key >= wanted and e.identifier_key < after limit few + 1) i;
  if cardinality(more) > few then
    -- The identifiers of a whole office begin alike, which says nothing about names: the first by name are met soon.
    select array_agg(h) into more from (
      select (e.entity_id, 2, e.name_key)::register_hit as h
      from register_entities e where starts_with(e.identifier_key, wanted) order by e.name_key, e.entity_id limit most) i;
  end if;
  hits := hits || more;
  more := null;

  if (select count(distinct h.entity_id) from unnest(hits) h where h.tier <= 2) < most then
    -- Joined with nothing, it is fetched once, not by each function that looks into it.
    sample := coalesce((select s.texts || '' from register_sample s), '');
    parts := (octet_length(sample) - octet_length(replace(sample, wanted, ''))) / octet_length(wanted);
    words := (octet_length(sample) - octet_length(replace(sample, ' ' || wanted, ''))) / (1 + octet_length(wanted));
    -- One letter is always frequent, and has no grams.
    if parts < often and length(wanted) > 1 then
      grams := tally_rare_grams(wanted, sample);
      select array_agg(h) into more from (
        select (e.entity_id, tally_register_tier(e.search_text, e.identifier_key, wanted), e.name_key)::register_hit as h
        from register_entities e
        where tally_register_grams(e.search_text) @> grams and strpos(e.search_text, wanted) > 0 limit few + 1) p;
    end if;
    if parts >= often or length(wanted) < 2 or cardinality(more) > few then
      more := null;
      if words < often then
        grams := tally_rare_grams(' ' || wanted, sample);
        select array_agg(h) into more from (
          select (e.entity_id, 3, e.name_key)::register_hit as h
          from register_entities e
          where tally_register_grams(e.search_text) @> grams and strpos(e.search_text, ' ' || wanted) > 0
          limit few + 1) w;
      end if;
      if words >= often or cardinality(more) > few then
        select array_agg(h) into more from (
          select (e.entity_id, 3, e.name_key)::register_hit as h
          from register_entities e where strpos(e.search_text, ' ' || wanted) > 0 order by e.name_key, e.entity_id limit most) w;
      end if;
      hits := hits || more;
      more := null;
      if (select count(distinct h.entity_id) from unnest(hits) h where h.tier <= 3) < most then
        select array_agg(h) into more from (
          select (e.entity_id, 4, e.name_key)::register_hit as h
          from register_entities e where strpos(e.search_text, wanted) > 0 order by e.name_key, e.entity_id limit most) p;
      end if;
    end if;
    hits := hits || more;
  end if;

  return query select h.entity_id, min(h.tier), h.name_key from unnest(hits) h
    group by h.entity_id, h.name_key order by 2, h.name_key collate "C", h.entity_id limit most;
end
$$;
