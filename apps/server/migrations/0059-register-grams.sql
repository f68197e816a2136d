-- Of every three neighbouring letters, how often the first entities have them: a byte for each of 4096 slots, in which the most frequent of
-- those that share it is counted. It tells rare grams from frequent ones without looking through a text for each of them.
create function tally_gram_slot(gram text) returns integer language sql immutable strict parallel safe return hashtext(gram) & 4095;
alter table register_sample
  add column grams bytea not null default decode(repeat('00', 4096), 'hex') check (octet_length(grams) = 4096);
-- Read by most searches: inside of the row, and as it is.
alter table register_sample alter column grams set storage plain;

-- Ids are spread evenly over the entities.
create function tally_draw_sample() returns void language sql as $$
  with counted as (
    select tally_gram_slot(g.gram) as slot, count(*) as places
    from (select left(e.search_text, 500) as words from register_entities e order by e.entity_id limit 250) s
    cross join lateral (select substr(s.words, place, 3) as gram from generate_series(1, length(s.words) - 2) place) g
    group by g.gram)
  insert into register_sample (texts, grams)
  select
    coalesce((select string_agg(left(s.search_text, 500), '')
              from (select e.search_text from register_entities e order by e.entity_id limit 100) s), ''),
    (select string_agg(set_byte('\x00', 0, coalesce(c.most, 0)), '' order by slot)
     from generate_series(0, 4095) slot left join (select slot, least(255, max(places))::integer as most from counted group by slot) c using (slot))
  on conflict (is_only) do update set texts = excluded.texts, grams = excluded.grams
$$;
set local role tally_register;
select tally_draw_sample() where exists (select from register_entities);
reset role;

-- The rarest few of a text's grams say nearly as much as all of them, and cost far less to look up. The rarest is the first.
drop function tally_rare_grams(text, text);
create function tally_rare_grams(wanted text, frequent bytea) returns text[] language sql immutable parallel safe
  return case when length(wanted) < 3 then array[wanted] else
    array(select g.gram
          from (select substr(wanted, place, 3) as gram from generate_series(1, length(wanted) - 2, 1 + length(wanted) / 20) place) g
          order by get_byte(frequent, tally_gram_slot(g.gram)) limit 3) end;

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
  is_full boolean := false;
  sample text;
  frequent bytea;
  grams text[];
  parts integer := 0;
  words integer := 0;
begin
  select array_agg(h) into hits from (
    (select (n.entity_id, 1, n.name_key)::register_hit as h from register_trade_names n
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
    select (e.entity_id, case when e.identifier_key = wanted then 1 else 2 end, e.name_key)::register_hit as h from register_entities e
    where e.identifier_key >= wanted and e.identifier_key < after order by e.identifier_key, e.name_key, e.entity_id limit few + 1) i;
  if cardinality(more) > few then
    -- The identifiers of a whole office begin alike, which says nothing about names: the first by name are met soon. Whole ones came first.
    hits := hits || more[1:most];
    select array_agg(h) into more from (
      select (e.entity_id, 2, e.name_key)::register_hit as h
      from register_entities e where starts_with(e.identifier_key, wanted) order by e.name_key, e.entity_id limit most) i;
  end if;
  hits := hits || more;
  more := null;

  -- Fewer hits are fewer entities: only more have to be counted.
  if cardinality(hits) >= most then
    is_full := (select count(distinct h.entity_id) from unnest(hits) h where h.tier <= 2) >= most;
  end if;
  if not is_full then
    select s.texts, s.grams into sample, frequent from register_sample s;
    grams := tally_rare_grams(wanted, frequent);
    -- A text is as rare as its rarest gram, or rarer. Of two letters, and where all grams are frequent, the sample has to tell.
    if length(wanted) < 3 or get_byte(frequent, tally_gram_slot(grams[1])) >= often then
      -- Joined with nothing, it is fetched once, not by each function that looks into it.
      sample := sample || '';
      parts := coalesce((octet_length(sample) - octet_length(replace(sample, wanted, ''))) / octet_length(wanted), 0);
      words := coalesce((octet_length(sample) - octet_length(replace(sample, ' ' || wanted, ''))) / (1 + octet_length(wanted)), 0);
    end if;
    -- One letter is always frequent, and has no grams.
    if parts < often and length(wanted) > 1 then
      select array_agg(h) into more from (
        select (e.entity_id, tally_register_tier(e.search_text, e.identifier_key, wanted), e.name_key)::register_hit as h
        from register_entities e
        where tally_register_grams(e.search_text) @> grams and strpos(e.search_text, wanted) > 0 limit few + 1) p;
    end if;
    if parts >= often or length(wanted) < 2 or cardinality(more) > few then
      more := null;
      if words < often then
        grams := tally_rare_grams(' ' || wanted, frequent);
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
