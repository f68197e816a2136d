-- Words of the register from five letters on: what a mistyped word may be meant for.
create table register_words (
  word text collate "C" primary key
);
create index register_words_by_end on register_words (reverse(word));
select tally_register_table('register_words');

-- Of what is there already. An import adds those of its file, cut a little better where they end in signs beyond ASCII.
set local role tally_register;
insert into register_words
select distinct w.word
from (select search_text, identifier_key from register_entities union all select search_text, null from register_authorities) t
cross join lateral regexp_split_to_table(t.search_text, '[^a-z0-9\u0080-\U0010FFFF]+') w (word)
where length(w.word) between 5 and 50 and w.word is distinct from t.identifier_key;
reset role;

-- A trade name is here also an entity's name or trade name without hyphens, ampersands and dots.
-- The first `most` entities in order of tier, name and id. Tiers: 1 whole identifier or name, 2 prefix of a field, 3 prefix of a
-- word, 4 any part.
-- The first `most` by name of those that match in a tier or better are enough of each tier: what is not among them comes later anyway.
-- What is rare is found by its grams and ranked; what is frequent is met soon on a walk through the names. A sample tells which it is,
-- and a wrong guess only takes longer.
create or replace function tally_search_register(wanted text, most integer) returns setof register_hit
  language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  -- Ranking this many costs about as much as walking until enough match.
  few constant integer := 500 + 10 * most;
  sampled constant integer := 100;
  often constant integer := 3;
  after constant text := wanted || U&'\+10FFFF';
  hits register_hit[];
  more register_hit[];
  parts integer := 0;
  words integer := 0;
begin
  select array_agg(h) into hits from (
    (select (e.entity_id, 1, e.name_key)::register_hit as h from register_entities e
     where e.identifier_key = wanted order by e.name_key, e.entity_id limit most)
    union all
    (select (e.entity_id, 1, e.name_key)::register_hit from register_entities e
     where e.name_key = wanted order by e.name_key, e.entity_id limit most)
    union all
    (select (n.entity_id, 1, n.name_key)::register_hit from register_trade_names n
     where n.trade_key = wanted order by n.name_key, n.entity_id limit most)
    union all
    (select (e.entity_id, 2, e.name_key)::register_hit from register_entities e
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
    -- Ids are spread evenly over the entities. One letter is always frequent, and has no grams.
    select count(*) filter (where strpos(s.search_text, wanted) > 0), count(*) filter (where strpos(s.search_text, ' ' || wanted) > 0)
      into parts, words
      from (select e.search_text from register_entities e order by e.entity_id limit sampled) s;
    if parts < often and length(wanted) > 1 then
      select array_agg(h) into more from (
        select (e.entity_id, tally_register_tier(e.search_text, e.identifier_key, wanted), e.name_key)::register_hit as h
        from register_entities e
        where tally_register_grams(e.search_text) @> tally_query_grams(wanted) and strpos(e.search_text, wanted) > 0 limit few + 1) p;
    end if;
    if parts >= often or length(wanted) < 2 or cardinality(more) > few then
      more := null;
      if words < often then
        select array_agg(h) into more from (
          select (e.entity_id, 3, e.name_key)::register_hit as h
          from register_entities e
          where tally_register_grams(e.search_text) @> tally_query_grams(' ' || wanted) and strpos(e.search_text, ' ' || wanted) > 0
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
