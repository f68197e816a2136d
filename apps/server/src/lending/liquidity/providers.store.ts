import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** What the events tell of a provider. Integers in the smallest unit. */
export interface ProviderRow {
  readonly provider: Address
  readonly deposited: string
  readonly withdrawn: string
  /** Those of the epoch that counts: a wiped-out pool voids all shares before. */
  readonly shares: string
  readonly isVault: boolean
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: string
  readonly blockLogIndex: number
  readonly blockTime: number
  readonly vaultId: string | null
  readonly vaultName: string | null
  readonly vaultSymbol: string | null
}

/** One line per provider that ever was, from all that moved shares. */
const positions = (sql: Sql, chainId: number, market: Address) => sql`
  told as (
    select f.operation, f.effect, f.tx_hash, f.log_index, f.block_number, f.block_log_index, f.block_time,
      count(*) filter (where f.operation = 'market.ShareEpochStarted') over (order by f.block_number, f.block_log_index) as epoch
    from chain_live_facts f
    where f.chain_id = ${chainId} and f.subject = ${market} and f.operation in
      ('market.LiquidityAdded', 'market.LiquidityRemoved', 'market.VaultDrawn', 'market.VaultRegistered', 'market.ShareEpochStarted')),
  moved as (
    select coalesce(effect ->> 'provider', effect ->> 'vault') as provider, (effect ->> 'amount')::numeric as amount,
      operation = 'market.LiquidityRemoved' as is_out, epoch = (select max(epoch) from told) as counts,
      case operation when 'market.LiquidityRemoved' then -(effect ->> 'shares')::numeric else (effect ->> 'shares')::numeric end as shares,
      tx_hash, log_index, block_number, block_log_index, block_time
    from told where operation in ('market.LiquidityAdded', 'market.LiquidityRemoved', 'market.VaultDrawn')),
  first as (
    select distinct on (provider) provider, tx_hash, log_index, block_number, block_log_index, block_time
    from moved order by provider, block_number, block_log_index),
  positions as (
    select m.provider, coalesce(sum(m.amount) filter (where not m.is_out), 0) as deposited,
      coalesce(sum(m.amount) filter (where m.is_out), 0) as withdrawn, greatest(coalesce(sum(m.shares) filter (where m.counts), 0), 0) as shares,
      m.provider in (select effect ->> 'vault' from told where operation in ('market.VaultRegistered', 'market.VaultDrawn')) as is_vault
    from moved m group by m.provider)`

export interface ProvidersRequest {
  readonly instanceId: string
  readonly chainId: number
  readonly market: Address
  readonly limit: number
  readonly offset: number
  /** The last line that was shown: goes on behind it. */
  readonly after: { readonly blockNumber: string; readonly blockLogIndex: string }
}

/** Those who hold shares by the events, the newest first. */
export const listProviders = (sql: Sql, request: ProvidersRequest) => sql<
  { total: number; page: readonly ProviderRow[] }[]
>`
  with ${positions(sql, request.chainId, request.market)},
  holding as (
    select p.*, f.tx_hash, f.log_index, f.block_number, f.block_log_index, f.block_time from positions p join first f using (provider)
    where p.shares > 0
      and (f.block_number, f.block_log_index) < (${request.after.blockNumber}::numeric, ${request.after.blockLogIndex}::integer)),
  page as (
    select * from holding order by block_number desc, block_log_index desc limit ${request.limit} offset ${request.offset})
  select (select count(*)::integer from holding) as total, coalesce(json_agg(json_build_object(
    'provider', p.provider, 'deposited', p.deposited::text, 'withdrawn', p.withdrawn::text, 'shares', p.shares::text, 'isVault', p.is_vault,
    'txHash', p.tx_hash, 'logIndex', p.log_index, 'blockNumber', p.block_number::text, 'blockLogIndex', p.block_log_index,
    'blockTime', p.block_time, 'vaultId', v.vault_id, 'vaultName', v.name, 'vaultSymbol', v.symbol)
    order by p.block_number desc, p.block_log_index desc), '[]') as page
  from page p left join vault_records v
    on v.instance_id = ${request.instanceId} and v.chain_id = ${request.chainId} and v.vault_address = p.provider`

export const findProvider = (sql: Sql, chainId: number, market: Address, provider: Address) => sql<
  Pick<ProviderRow, 'deposited' | 'withdrawn' | 'shares'>[]
>`
  with ${positions(sql, chainId, market)}
  select deposited::text, withdrawn::text, shares::text from positions where provider = ${provider}`

/** Beside the record of a market: up to which block its events are known. */
export const syncedBlock = (sql: Sql) => sql`,
  (select w.scanned_to::text from watched_contracts w where w.chain_id = m.chain_id and w.address = m.market_address) as "syncedBlock"`

/** The highest rate that a loan of a market was ever stamped with; null: none was. */
export const highestStamp = (sql: Sql, chainId: number, market: Address) => sql<{ stampBps: string | null }[]>`
  select max((effect ->> 'rateBps')::numeric)::text as "stampBps" from chain_live_facts
  where chain_id = ${chainId} and subject = ${market} and operation = 'market.LoanOpened'`
