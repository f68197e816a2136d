import type { Sql } from '../../platform/db/database.ts'

export interface HoldersRequest {
  readonly chainId: number
  readonly token: string
  /** Null: the last block on record. */
  readonly block: string | null
  readonly limit: number
  readonly offset: number
}

export interface Holders {
  /** Up to which block the events of the token are complete. */
  readonly recordedTo: string
  readonly block: string
  readonly total: number
  readonly totalSupply: string
  readonly page: readonly { readonly address: string; readonly balance: string }[]
}

/**
 * Every transfer up to a block, added up. A confirmation may have taken down a later event than the follower has come to, but
 * then others could be missing in between: nothing beyond the follower's reach is counted.
 */
export const listHolders = (sql: Sql, { chainId, token, block, limit, offset }: HoldersRequest) => sql<Holders[]>`
  with reach as (
    select scanned_to, least(scanned_to, coalesce(${block}::numeric, scanned_to)) as at from watched_contracts
    where chain_id = ${chainId} and address = ${token}),
  moves as (
    select f.effect ->> 'from' as giver, f.effect ->> 'to' as taker, (f.effect ->> 'value')::numeric as amount
    from chain_live_facts f, reach
    where f.chain_id = ${chainId} and f.subject = ${token} and f.operation = 'stock.Transfer' and f.block_number <= reach.at),
  balances as (
    select holder, sum(amount) as balance
    from (select taker as holder, amount from moves union all select giver, -amount from moves) both_sides
    where holder <> '0x' || repeat('0', 40) group by holder having sum(amount) <> 0),
  page as (select * from balances order by balance desc, holder limit ${limit} offset ${offset})
  select r.scanned_to::text as "recordedTo", r.at::text as block, (select count(*)::int from balances) as total,
    (select coalesce(sum(balance), 0)::text from balances) as "totalSupply",
    (select coalesce(json_agg(json_build_object('address', holder, 'balance', balance::text) order by balance desc, holder), '[]')
     from page) as page
  from reach r`

export interface TransactionsRequest {
  readonly instanceId: string
  readonly chainId: number
  readonly token: string
  readonly type: string | null
  readonly limit: number
  readonly offset: number
  /** The last line that was shown: goes on behind it. */
  readonly after: { readonly blockNumber: string; readonly blockLogIndex: string } | null
}

export interface TransactionRow {
  readonly txHash: string
  readonly type: string
  readonly giver: string | null
  readonly taker: string | null
  readonly amount: string | null
  readonly reason: string | null
  readonly words: string | null
  readonly orderedBy: string | null
  readonly numerator: string | null
  readonly denominator: string | null
  readonly blockNumber: string
  readonly blockLogIndex: number
  readonly blockTime: bigint
  readonly finality: 'MINED' | 'SAFE' | 'FINALIZED'
  readonly recorded: boolean
}

/** Newest first. A transfer that was forced is told once, by the event that says so, and mints and burns by what they were for. */
export const listTransactions = (sql: Sql, request: TransactionsRequest) => sql<TransactionRow[]>`
  with told as (
    select f.*, case f.operation
        when 'stock.Issued' then 'issue' when 'stock.Redeemed' then 'redeem' when 'stock.Transfer' then 'transfer'
        when 'stock.ForceTransfer' then 'force-transfer' when 'stock.TokensFrozen' then 'freeze' when 'stock.TokensUnfrozen' then 'unfreeze'
        when 'stock.StockSplit' then 'split' when 'stock.Paused' then 'pause' when 'stock.Unpaused' then 'unpause'
        when 'stock.RecoverySuccess' then 'recovery'
        when 'stock.SubIssuerUpdated' then case when (f.effect ->> 'authorized')::boolean then 'sub-issuer-add' else 'sub-issuer-remove' end
        when 'stock.ControllerUpdated' then case when (f.effect ->> 'authorized')::boolean then 'controller-add' else 'controller-remove' end
      end as type,
      row_number() over (partition by f.tx_hash, f.operation, f.effect ->> 'from', f.effect ->> 'to', f.effect ->> 'value'
        order by f.block_log_index) as place
    from chain_live_facts f
    where f.chain_id = ${request.chainId} and f.subject = ${request.token} and f.operation in ('stock.Issued', 'stock.Redeemed', 'stock.Transfer',
      'stock.ForceTransfer', 'stock.TokensFrozen', 'stock.TokensUnfrozen', 'stock.StockSplit', 'stock.Paused', 'stock.Unpaused',
      'stock.RecoverySuccess', 'stock.SubIssuerUpdated', 'stock.ControllerUpdated')),
  lines as (
    select * from told t
    where (${request.type}::text is null or t.type = ${request.type})
      and (${request.after?.blockNumber ?? null}::numeric is null
        or (t.block_number, t.block_log_index) < (${request.after?.blockNumber ?? null}::numeric, ${request.after?.blockLogIndex ?? null}::integer))
      and (t.type <> 'transfer' or ('0x' || repeat('0', 40) not in (t.effect ->> 'from', t.effect ->> 'to')
        and t.place > (select count(*) from told o where o.tx_hash = t.tx_hash and o.type = 'force-transfer'
          and o.effect ->> 'from' = t.effect ->> 'from' and o.effect ->> 'to' = t.effect ->> 'to'
          and o.effect ->> 'amount' = t.effect ->> 'value')))
    order by t.block_number desc, t.block_log_index desc limit ${request.limit} offset ${request.offset})
  select l.tx_hash as "txHash", l.type,
    case l.type when 'redeem' then l.effect ->> 'from' when 'transfer' then l.effect ->> 'from' when 'force-transfer' then l.effect ->> 'from'
      when 'recovery' then l.effect ->> 'lostWallet' end as giver,
    case when l.type in ('issue', 'transfer', 'force-transfer') then l.effect ->> 'to' when l.type = 'recovery' then l.effect ->> 'newWallet'
      else l.effect ->> 'account' end as taker,
    coalesce(l.effect ->> 'amount', l.effect ->> 'value') as amount, l.effect ->> 'reason' as reason, r.words,
    coalesce(l.effect ->> 'subIssuer', l.effect ->> 'redeemer', l.effect ->> 'controller', l.effect ->> 'userAddress') as "orderedBy",
    l.effect ->> 'numerator' as numerator, l.effect ->> 'denominator' as denominator, l.block_number::text as "blockNumber",
    l.block_log_index as "blockLogIndex", l.block_time as "blockTime", l.finality,
    exists (select from recordings d where d.instance_id = ${request.instanceId} and d.chain_id = l.chain_id and d.tx_hash = l.tx_hash) as recorded
  from lines l left join stock_reasons r on r.instance_id = ${request.instanceId} and r.reason_hash = l.effect ->> 'reason'
  order by l.block_number desc, l.block_log_index desc`
