import type postgres from 'postgres'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

/** Where addresses of a market's own contracts stand; every copy has contracts of its own, which no chain knows. */
const OWN_ADDRESSES = [
  'market_address',
  'adapter',
  'oracle',
  'rate_model',
  'insurance_fund',
  'router',
  'venue',
  'part',
  'whole',
]
const ADDRESS_TABLES = ['contract_access', 'watched_contracts', 'relayers']

const addressOf = (column: string) => `'0x' || md5(${column} || '/' || n) || substr(md5(n || '/' || ${column}), 1, 8)`

/** What a copy has in this column: ids and addresses of its own, and everything else as it is. */
function copied({ table, name, type }: Column): string {
  const column = `t.${name}`
  if (type === 'uuid') return `md5(${column}::text || '/' || n)::uuid`
  if (table === 'api_keys' && name === 'ref') return `lpad(n::text, 8, 'B')`
  if (OWN_ADDRESSES.includes(name) || (name === 'address' && ADDRESS_TABLES.includes(table))) return addressOf(column)
  return column
}

/** The rows of the pattern, by whichever column a table names it. */
function isOfPattern(columns: readonly Column[], pattern: string, market: string): string | undefined {
  const has = (name: string) => columns.some((column) => column.name === name)
  const contracts = `select unnest(array[market_address, adapter, oracle, rate_model, insurance_fund, router, venue]) from lending_markets
    where market_address = '${market}'`
  const [first] = columns
  if (first?.table === 'lending_markets') return `t.market_address = '${market}'`
  if (first?.table === 'watched_contracts') return `t.address in (${contracts})`
  if (first?.table === 'contract_parts') return `t.whole = '${market}'`
  if (has('instance_id')) return `t.instance_id = '${pattern}'`
  if (has('lane_id')) return `t.lane_id = '${pattern}'`
  if (has('unit_id')) return `t.unit_id in (select unit_id from order_books where instance_id = '${pattern}')`
  return undefined
}

interface Copy {
  readonly instanceId: string
  readonly market: string
  readonly from: number
  readonly to: number
}

/**
 * Copies everything that the product wrote for one instance, table by table, for as many others: rows as they really look, with ids and
 * addresses of their own. Ids inside of JSON stay those of the pattern. Answers the rows that one instance has.
 */
export async function copyTenant(sql: postgres.Sql, { instanceId, market, from, to }: Copy): Promise<number> {
  const columns = await sql<Column[]>`
    select c.table_name as table, c.column_name as name, c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' order by c.table_name, c.ordinal_position`
  let rows = 0
  // Keys lead from table to table: all are there at the end.
  await sql`set session_replication_role = replica`
  for (const table of new Set(columns.map((column) => column.table))) {
    const own = columns.filter((column) => column.table === table)
    const condition = isOfPattern(own, instanceId, market)
    if (condition === undefined) continue
    const names = own.map(({ name }) => `"${name}"`).join(', ')
    const { count } = await sql.unsafe(
      `insert into ${table} (${names}) overriding system value select ${own.map(copied).join(', ')}
       from (select * from ${table} t where ${condition}) t cross join generate_series(${from}, ${to}) as n`,
    )
    rows += count
  }
  await sql`set session_replication_role = origin`
  await sql`analyze`
  return rows / (to - from + 1)
}
