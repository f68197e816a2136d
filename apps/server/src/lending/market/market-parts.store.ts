import type { Sql } from '../../platform/db/database.ts'

/** What a market took up after its deployment, and from which block on. */
const named = (sql: Sql, chainId: number, market: string) => sql`
  select part, kind, min(block_number) as since
  from (select block_number, coalesce(effect ->> 'newModule', effect ->> 'newFund') as part,
               case operation when 'market.AuctionModuleUpdated' then 'venue' else 'fund' end as kind
        from chain_live_facts where chain_id = ${chainId} and subject = ${market}
          and operation in ('market.AuctionModuleUpdated', 'market.InsuranceFundUpdated')) as told
  where part ~ '^0x[0-9a-f]{40}$' and part !~ '^0x0*$' group by 1, 2`

/**
 * A venue or a fund that a market names is followed from then on, and whoever reads the market reads it. One that is known as
 * something else stays that, and the market opens it to nobody: a market may name what is not its own.
 */
export async function projectMarketParts(sql: Sql, chainId: number, market: string): Promise<void> {
  await sql`
    update lending_markets m set venue = told.venue
    from (select (select nullif(effect ->> 'newModule', '0x' || repeat('0', 40)) from chain_live_facts
                  where chain_id = ${chainId} and subject = ${market} and operation = 'market.AuctionModuleUpdated'
                  order by block_number desc, block_log_index desc limit 1) as venue) as told
    where m.chain_id = ${chainId} and m.market_address = ${market} and m.venue is distinct from told.venue`
  await sql`
    insert into watched_contracts (chain_id, address, kind, scanned_to)
    select ${chainId}, part, kind, since - 1 from (${named(sql, chainId, market)}) as parts order by part
    on conflict (chain_id, address) do nothing`
  await sql`
    with parts as (
      select n.part from (${named(sql, chainId, market)}) as n
      join watched_contracts w on w.chain_id = ${chainId} and w.address = n.part and w.kind = n.kind),
    gone as (
      delete from contract_parts where chain_id = ${chainId} and whole = ${market} and part not in (select part from parts))
    insert into contract_parts (chain_id, whole, part) select ${chainId}, ${market}, part from parts order by part
    on conflict do nothing`
  await sql`
    insert into contract_access (instance_id, chain_id, address, granted_at)
    select a.instance_id, a.chain_id, p.part, a.granted_at
    from contract_parts p join contract_access a on a.chain_id = p.chain_id and a.address = p.whole
    where p.chain_id = ${chainId} and p.whole = ${market} order by a.instance_id, p.part
    on conflict do nothing`
}
