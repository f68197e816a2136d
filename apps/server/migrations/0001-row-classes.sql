-- Three classes of rows, each with its own guard. Row-level security is forced on every table and no role bypasses it.
--   tenant  read and written by tally_api for the instance named in the transaction's setting
--   chain   written by tally_chain (follower, verifier); read by instances that have access to the contract
--   venue   written by tally_venue for the matching unit named in the transaction's setting
-- tally_auth looks up keys and nothing else. tally_operator is the person who runs the deployment (CLI, backup).
do $$
declare
  wanted text;
begin
  foreach wanted in array array['tally_api', 'tally_chain', 'tally_venue', 'tally_auth', 'tally_operator'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin noinherit', wanted);
    end if;
    if not pg_has_role(current_user, wanted, 'set') then
      -- Without inheritance: the owner must take a role before any policy lets it see a row.
      execute format('grant %I to current_user with inherit false, set true', wanted);
    end if;
    execute format('grant usage on schema public to %I', wanted);
  end loop;
end
$$;

-- tally_auth owns the security-definer functions, so it must be able to hold them.
grant create on schema public to tally_auth;

create function tally_instance() returns uuid language sql stable parallel safe
  return nullif(current_setting('tally.instance_id', true), '')::uuid;

create function tally_unit() returns uuid language sql stable parallel safe
  return nullif(current_setting('tally.unit_id', true), '')::uuid;

-- What every class shares: forced policies, and an operator who sees all rows.
create function tally_guard(target regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy operator on %s to tally_operator using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to tally_operator', target);
end
$$;

create function tally_tenant_table(target regclass) returns void language plpgsql as $$
begin
  perform tally_guard(target);
  execute format('create policy tenant on %s to tally_api using (instance_id = tally_instance()) with check (instance_id = tally_instance())', target);
  execute format('grant select, insert, update, delete on %s to tally_api', target);
end
$$;

-- `subject` is the column with the contract whose readers may see the row; null: no instance reads it.
create function tally_chain_table(target regclass, subject name default null) returns void language plpgsql as $$
begin
  perform tally_guard(target);
  execute format('create policy chain on %s to tally_chain using (true) with check (true)', target);
  execute format('grant select, insert, update, delete on %s to tally_chain', target);
  if subject is not null then
    execute format(
      'create policy readers on %1$s for select to tally_api using (exists (select from contract_access a
         where a.instance_id = tally_instance() and a.chain_id = %1$s.chain_id and a.address = %1$s.%2$I))', target, subject);
    execute format('grant select on %s to tally_api', target);
  end if;
end
$$;

-- `readable` is the condition under which an instance may read a row; null: only the venue itself.
create function tally_venue_table(target regclass, readable text default null) returns void language plpgsql as $$
begin
  perform tally_guard(target);
  execute format('create policy venue on %s to tally_venue using (unit_id = tally_unit()) with check (unit_id = tally_unit())', target);
  execute format('grant select, insert, update, delete on %s to tally_venue', target);
  if readable is not null then
    execute format('create policy readers on %s for select to tally_api using (%s)', target, readable);
    execute format('grant select on %s to tally_api', target);
  end if;
end
$$;
