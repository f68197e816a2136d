create table token_imports (
  instance_id uuid not null references instances,
  import_id uuid not null,
  chain_id bigint not null,
  token_address text not null check (token_address ~ '^0x[0-9a-f]{40}$'),
  name text not null,
  symbol text not null check (length(symbol) <= 16),
  decimals integer not null check (decimals between 0 and 77),
  framework text not null check (framework in ('erc3643', 'erc1400', 'erc721', 'erc1155', 'erc20')),
  total_supply_raw numeric(78, 0) not null check (total_supply_raw >= 0),
  -- In token units as the interface shows it: exact, no exponent, no trailing zeros.
  total_supply text generated always as (
    case when decimals = 0 then total_supply_raw::text else
      rtrim(rtrim(left(lpad(total_supply_raw::text, greatest(decimals + 1, length(total_supply_raw::text)), '0'), -decimals)
        || '.' || right(lpad(total_supply_raw::text, greatest(decimals + 1, length(total_supply_raw::text)), '0'), decimals), '0'), '.')
    end) stored,
  facts jsonb not null,
  evidence jsonb not null,
  asset_type text not null,
  image_uri text,
  profile jsonb,
  status text not null check (status in ('ACTIVE', 'REVOKED')),
  imported_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  primary key (instance_id, import_id),
  check ((status = 'REVOKED') = (revoked_at is not null))
);
create unique index token_imports_one_active on token_imports (instance_id, token_address) where status = 'ACTIVE';
create index token_imports_newest on token_imports (instance_id, imported_at desc, import_id desc) where status = 'ACTIVE';
select tally_tenant_table('token_imports');

-- The list of imports as the interface shows it, in one statement: it enters as tenant does, then reads under the same policies.
-- The busiest read of the product; four statements and a row-by-row rewrite would triple its cost.
create function tally_list_imports(the_key uuid, the_key_epoch bigint, the_instance uuid, the_instance_epoch bigint) returns text
  language plpgsql volatile as $$
begin
  perform set_config('role', 'tally_api', true);
  perform tally_enter(the_key, the_key_epoch, the_instance, the_instance_epoch);
  return (
    select coalesce(json_agg(json_build_object(
      'tokenAddress', token_address, 'name', name, 'symbol', symbol, 'decimals', decimals, 'framework', framework,
      'assetType', asset_type, 'imageURI', image_uri, 'totalSupply', total_supply, 'metadata', facts,
      'importedAt', to_char(imported_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'instanceId', instance_id
    )), '[]')::text
    from (select * from token_imports where instance_id = the_instance and status = 'ACTIVE'
          order by imported_at desc, import_id desc limit 200) newest);
end
$$;
