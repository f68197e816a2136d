import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'
import type { SaltEra, SaltPrefix } from './salt-prefix.rules.ts'

/** What is traded against what, and where it is settled. */
export interface Pair {
  readonly chainId: number
  readonly custody: Address
  readonly token: Address
  readonly quote: Address
}

/** Oldest first. */
export const readEras = (sql: Sql, { chainId, custody, token, quote }: Pair) => sql<SaltEra[]>`
  select era, salt_prefix as prefix from custody_eras
  where chain_id = ${chainId} and custody_contract = ${custody} and token_address = ${token} and quote_token_address = ${quote}
  order by era`

/** Of several workers that saw it, one writes it down. */
export const insertEra = (
  sql: Sql,
  { chainId, custody, token, quote }: Pair,
  seen: SaltEra & { blockNumber: bigint },
) => sql<{ era: number }[]>`
  insert into custody_eras (chain_id, custody_contract, token_address, quote_token_address, era, salt_prefix, block_number, seen_at)
  values (${chainId}, ${custody}, ${token}, ${quote}, ${seen.era}, ${seen.prefix}, ${seen.blockNumber.toString()}, clock_timestamp())
  on conflict do nothing returning era`

/** Pairs that open books trade on this chain. */
export const listPairs = (sql: Sql, chainId: number) => sql<Pair[]>`
  select distinct ${chainId}::int as "chainId", custody_contract as custody, token_address as token, quote_token_address as quote
  from order_books where chain_id = ${chainId} and settlement_mode = 'ON_CHAIN' and status <> 'CLOSED' and custody_contract is not null`

export interface LiveSalt {
  readonly unitId: string
  readonly instanceId: string
  readonly orderId: string
  readonly salt: SaltPrefix
}

export const listLiveSalts = (sql: Sql, { chainId, custody, token, quote }: Pair) => sql<LiveSalt[]>`
  select o.unit_id as "unitId", b.instance_id as "instanceId", o.order_id as "orderId", s.salt
  from order_books b join orders o on o.book_id = b.book_id join signed_orders s on s.order_id = o.order_id
  where b.chain_id = ${chainId} and b.custody_contract = ${custody} and b.token_address = ${token} and b.quote_token_address = ${quote}
    and o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')
  order by o.unit_id, o.order_id`
