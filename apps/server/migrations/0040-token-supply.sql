-- When the supply of an imported token was read, and what its code lets expect beyond a plain ERC-20.
alter table token_imports
  -- Null: read before this was written down.
  add column supply_read_at timestamptz,
  add column supply_block numeric(78, 0),
  add column warnings jsonb not null default '[]';

create or replace function tally_list_imports(the_key uuid, the_key_epoch bigint, the_instance uuid, the_instance_epoch bigint) returns text
  language plpgsql volatile as $$
begin
  perform set_config('role', 'tally_api', true);
  perform tally_enter(the_key, the_key_epoch, the_instance, the_instance_epoch);
  return (
    select coalesce(json_agg(json_build_object(
      'tokenAddress', token_address, 'name', name, 'symbol', symbol, 'decimals', decimals, 'framework', framework,
      'assetType', asset_type, 'imageURI', image_uri, 'totalSupply', total_supply,
      'totalSupplyAt', to_char(supply_read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'totalSupplyBlock', supply_block::text, 'metadata', facts, 'warnings', warnings,
      'importedAt', to_char(imported_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'instanceId', instance_id
    )), '[]')::text
    from (select * from token_imports where instance_id = the_instance and status = 'ACTIVE'
          order by imported_at desc, import_id desc limit 200) newest);
end
$$;
