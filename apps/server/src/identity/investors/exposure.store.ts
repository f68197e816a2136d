import type { Sql } from '../../platform/db/database.ts'

export interface ExposureRequest {
  readonly instanceId: string
  readonly chainId: number
  readonly wallet: string | null
  readonly token: string | null
  readonly limit: number
}

export interface LoanRow {
  readonly marketId: string
  readonly loanId: string
  readonly borrower: string
  readonly mode: 'FREEZE' | 'CUSTODY'
  readonly tokenAddress: string
  readonly collateral: string
  readonly collateralDecimals: number
  readonly collateralSymbol: string
  readonly principal: string
  readonly borrowDecimals: number
  readonly borrowSymbol: string
}

/** Loans that no event closed, in markets that the instance has on record. Who moved to another wallet borrows from there. */
export const listLoans = (sql: Sql, { instanceId, chainId, wallet, token, limit }: ExposureRequest) => sql<LoanRow[]>`
  with markets as (
    select r.market_id, m.* from market_records r join lending_markets m on m.chain_id = r.chain_id and m.market_address = r.market_address and m.is_live
    where r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.archived_at is null
      and (${token}::text is null or m.collateral_token = ${token})),
  loans as (
    select m.market_id, f.subject, f.loan_id, max(f.block_number) filter (where f.operation = 'market.LoanOpened') as opened,
      (array_agg(f.loan_wallet order by f.block_number desc, f.block_log_index desc)
        filter (where f.operation in ('market.LoanOpened', 'market.LoanRebound')))[1] as borrower,
      sum(case f.operation when 'market.LoanOpened' then (f.effect ->> 'collateral')::numeric
        when 'market.CollateralAdded' then (f.effect ->> 'amount')::numeric
        when 'market.CollateralWithdrawn' then -(f.effect ->> 'amount')::numeric
        when 'market.CollateralSplit' then (f.effect ->> 'amount')::numeric - (f.effect ->> 'before')::numeric
        when 'market.LoanLiquidated' then -(f.effect ->> 'collateral')::numeric else 0 end) as collateral,
      sum(case f.operation when 'market.LoanOpened' then (f.effect ->> 'principal')::numeric
        when 'market.LoanIncreased' then (f.effect ->> 'amount')::numeric
        when 'market.LoanRepaid' then -(f.effect ->> 'principal')::numeric else 0 end) as principal
    from markets m join chain_live_facts f on f.chain_id = m.chain_id and f.subject = m.market_address and f.loan_id is not null
    group by 1, 2, 3
    having bool_or(f.operation = 'market.LoanOpened') and not bool_or(f.operation = 'market.LoanClosed'))
  select m.market_id as "marketId", l.loan_id::text as "loanId", l.borrower, m.mode, m.collateral_token as "tokenAddress",
    greatest(l.collateral, 0)::text as collateral, m.collateral_decimals as "collateralDecimals", m.collateral_symbol as "collateralSymbol",
    greatest(l.principal, 0)::text as principal, m.borrow_decimals as "borrowDecimals", m.borrow_symbol as "borrowSymbol"
  from loans l join markets m on m.market_id = l.market_id
  where ${wallet}::text is null or l.borrower = ${wallet}
  order by l.opened desc, l.loan_id desc limit ${limit}`

export interface OrderRow {
  readonly orderId: string
  readonly orderBookId: string
  readonly symbol: string
  readonly tokenAddress: string
  readonly holder: string
  readonly side: 'BUY' | 'SELL'
  readonly price: string | null
  readonly remaining: string
}

export const listOrders = (sql: Sql, { instanceId, wallet, token, limit }: ExposureRequest, now: Date) => sql<
  OrderRow[]
>`
  select o.order_id as "orderId", o.book_id as "orderBookId", b.symbol, b.token_address as "tokenAddress", o.holder, o.side,
    o.price::text as price, o.remaining_quantity::text as remaining
  from orders o join order_books b on b.book_id = o.book_id
  where o.instance_id = ${instanceId} and o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')
    and (o.expires_at is null or o.expires_at > ${now})
    and (${wallet}::text is null or o.holder = ${wallet})
    and (${token}::text is null or ${token} in (b.token_address, b.quote_token_address))
  order by o.created_at desc, o.order_id desc limit ${limit}`

export interface HoldingRow {
  readonly tokenAddress: string
  readonly symbol: string
  readonly decimals: number
  readonly holder: string
  readonly balance: string
}

export const listHoldings = (sql: Sql, { instanceId, chainId, wallet, token, limit }: ExposureRequest) => sql<
  HoldingRow[]
>`
  with moves as (
    select t.token_address, t.symbol, t.decimals, s.holder, s.amount
    from stock_tokens t join chain_live_facts f on f.chain_id = t.chain_id and f.subject = t.token_address and f.operation = 'stock.Transfer'
    cross join lateral (values (f.effect ->> 'to', (f.effect ->> 'value')::numeric), (f.effect ->> 'from', -(f.effect ->> 'value')::numeric))
      as s (holder, amount)
    where t.instance_id = ${instanceId} and t.chain_id = ${chainId} and (${token}::text is null or t.token_address = ${token}))
  select token_address as "tokenAddress", symbol, decimals, holder, sum(amount)::text as balance from moves
  where (${wallet}::text is null or holder = ${wallet}) and holder <> '0x' || repeat('0', 40)
  group by 1, 2, 3, 4 having sum(amount) > 0 order by sum(amount) desc, holder limit ${limit}`
