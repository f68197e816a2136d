-- The register of regulated entities belongs to no instance: every proven key reads it, one role of its own writes it.

do $$
begin
  if not exists (select from pg_roles where rolname = 'tally_register') then
    create role tally_register nologin noinherit;
  end if;
  if not pg_has_role(current_user, 'tally_register', 'set') then
    grant tally_register to current_user with inherit false, set true;
  end if;
  grant usage on schema public to tally_register;
end
$$;

create function tally_register_table(target regclass) returns void language plpgsql as $$
begin
  perform tally_guard(target);
  execute format('create policy register on %s to tally_register using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to tally_register', target);
  -- Nothing but true: any other condition would keep searches from using the indexes.
  execute format('create policy readers on %s for select to tally_api using (true)', target);
  execute format('grant select on %s to tally_api', target);
end
$$;

create table register_imports (
  import_number bigint primary key,
  file text not null check (file in ('CASPS', 'ARTZZ', 'EMTWP', 'OTHER', 'NCASP')),
  source text not null,
  source_date timestamptz,
  sha256 text not null,
  -- Rises when the same file would be understood differently, so that a newer release imports it again.
  reading integer not null,
  row_count integer not null,
  entity_count integer not null,
  -- Rows that could not be read: [{ "line", "reason" }], the first hundred of malformed_count.
  malformed_count integer not null,
  malformed jsonb not null,
  added integer not null,
  changed integer not null,
  removed integer not null,
  imported_at timestamptz not null
);
create index register_imports_by_file on register_imports (file, import_number desc);
select tally_register_table('register_imports');

-- Addresses that are looked at now and then, and what is needed to ask whether anything is new.
create table register_sources (
  source text primary key,
  file text,
  checked_at timestamptz not null,
  etag text,
  last_modified text
);
select tally_register_table('register_sources');

create table register_failures (
  failure_id uuid primary key,
  file text,
  source text not null,
  reason text not null,
  failed_at timestamptz not null
);
create index register_failures_newest on register_failures (failed_at desc);
select tally_register_table('register_failures');

-- Few authorities supervise many entities: a search looks through the few first.
create table register_authorities (
  authority_key text collate "C" primary key,
  search_text text collate "C" not null
);
select tally_register_table('register_authorities');

create table register_entities (
  entity_id uuid primary key,
  file text not null,
  entity_name text not null,
  entity_identifier text,
  license_type text not null,
  entity_type text not null,
  country text,
  country_code text,
  national_authority text,
  commercial_name text,
  address text,
  website text,
  website_platform text,
  authorization_date date,
  authorization_end_date date,
  services text[] not null,
  passported_countries text[] not null,
  comments text,
  also_named text[] not null,
  white_papers jsonb not null,
  data_notes text[] not null,
  last_update date,
  first_seen_at timestamptz not null,
  changed_at timestamptz not null,
  -- Folded to plain lower-case letters, at most 200 characters: what lists are sorted by.
  name_key text collate "C" not null,
  identifier_key text collate "C",
  authority_key text collate "C" references register_authorities,
  -- Every searchable field but the authority, folded. A line feed and a space stand before a field, a space before a word.
  search_text text collate "C" not null
);
create index register_entities_by_name on register_entities (name_key, entity_id);
create index register_entities_by_identifier on register_entities (identifier_key, name_key, entity_id);
create index register_entities_by_authority on register_entities (authority_key, name_key, entity_id);
create index register_entities_by_file on register_entities (file);
select tally_register_table('register_entities');

-- Every two and every three neighbouring characters, spaces and signs included: a part of a text has them all. Trigrams of words, as
-- an extension would make them, know neither two letters nor where one word ends and the next begins.
create function tally_register_grams(words text) returns text[] language sql immutable strict parallel safe
  return array(select substr(words, place, 2) from generate_series(1, length(words) - 1) place
               union all select substr(words, place, 3) from generate_series(1, length(words) - 2) place);
-- An import empties the pending list once it has committed; searches would read through it.
create index register_entities_by_gram on register_entities using gin (tally_register_grams(search_text));

create table register_trade_names (
  entity_id uuid not null references register_entities on delete cascade,
  trade_key text collate "C" not null,
  name_key text collate "C" not null,
  primary key (trade_key, name_key, entity_id)
);
create index register_trade_names_by_entity on register_trade_names (entity_id);
select tally_register_table('register_trade_names');

create table register_changes (
  import_number bigint not null references register_imports,
  place integer not null,
  file text not null,
  kind text not null check (kind in ('added', 'changed', 'removed')),
  entity_id uuid not null,
  entity_name text not null,
  license_type text not null,
  -- [{ "field", "before", "after" }]
  fields jsonb not null,
  changed_at timestamptz not null,
  primary key (import_number, place)
);
create index register_changes_by_entity on register_changes (entity_id, import_number, place);
select tally_register_table('register_changes');

-- Opens the register for this transaction to the holder of a register key, and proves that the key is still good.
grant create on schema public to tally_auth;
create function tally_enter_register(the_key uuid) returns void
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  perform from register_keys k where k.key_id = the_key and k.status = 'ACTIVE';
  if not found then
    raise exception 'the key changed since it was looked up' using errcode = 'TA001';
  end if;
end
$$;
revoke all on function tally_enter_register(uuid) from public;
grant execute on function tally_enter_register(uuid) to tally_api;
alter function tally_enter_register(uuid) owner to tally_auth;
set local role tally_auth;
grant execute on function tally_enter_register(uuid) to session_user;
reset role;
revoke create on schema public from tally_auth;

create type register_hit as (entity_id uuid, tier integer, name_key text);

create function tally_register_tier(search_text text, identifier_key text, wanted text) returns integer
  language sql immutable parallel safe
  return case when identifier_key = wanted then 1
    when strpos(search_text, E'\n ' || wanted) > 0 then 2
    when strpos(search_text, ' ' || wanted) > 0 then 3 else 4 end;

-- A few of its grams say nearly as much as all of them, and cost less to look up.
create function tally_query_grams(wanted text) returns text[] language sql immutable strict parallel safe
  return case when length(wanted) < 3 then array[wanted] else
    array(select substr(wanted, 1 + (length(wanted) - 3) * step / greatest(1, least(4, length(wanted) - 3)), 3)
          from generate_series(0, least(4, length(wanted) - 3)) step) end;

-- The first `most` entities in order of tier, name and id. Tiers: 1 whole identifier, 2 prefix of a field, 3 prefix of a word, 4 any part.
-- The first `most` by name of those that match in a tier or better are enough of each tier: what is not among them comes later anyway.
-- What is rare is found by its grams and ranked; what is frequent is met soon on a walk through the names. A sample tells which it is,
-- and a wrong guess only takes longer.
create function tally_search_register(wanted text, most integer) returns setof register_hit
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
