import type { Sql } from 'postgres'

/** Imports by the hundred: one second apart, each of a token that is on no chain. */
export async function fillImports(
  superuser: Sql,
  instanceId: string,
  count: number,
  status: 'ACTIVE' | 'REVOKED' = 'ACTIVE',
): Promise<void> {
  await superuser`
    insert into token_imports (instance_id, import_id, chain_id, token_address, name, symbol, decimals, framework,
      total_supply_raw, facts, evidence, asset_type, status, imported_at, updated_at, revoked_at)
    select ${instanceId}, gen_random_uuid(), 31337, '0x' || lpad(to_hex(n), 40, '0'), 'Filler ' || n, 'FIL', 0, 'erc20',
      0, '{}', '[]', 'BOND', ${status}, moment, moment, case when ${status} = 'REVOKED' then moment end
    from generate_series(1, ${count}::int) n, lateral (select now() - interval '1 hour' + n * interval '1 second' as moment) m`
}
