import type { Sql } from '../../platform/db/database.ts'
import { asJson } from './json-rows.rules.ts'

export interface Custody {
  readonly chainId: number
  readonly custodyContract: string
}

export interface Reservation {
  readonly holder: string
  readonly tokenAddress: string
  /** Order book units. */
  readonly reserved: bigint
}

export interface ReservationChange {
  readonly holder: string
  readonly tokenAddress: string
  readonly reserved: number | bigint
}

/**
 * Names the custody contract of a unit and takes its lock: a wallet's funds are spoken for by many books at once. No row: the unit's trades
 * do not settle on chain.
 */
export const enterCustodyOfUnit = (sql: Sql, unitId: string) => sql<{ chainId: string; custodyContract: string }[]>`
  select c.chain_id::text as "chainId", c.custody_contract as "custodyContract",
    set_config('tally.custody', c.chain_id || ':' || c.custody_contract, true),
    pg_advisory_xact_lock(hashtextextended('custody ' || c.chain_id || ':' || c.custody_contract, 0))
  from (select chain_id, custody_contract from order_books
    where unit_id = ${unitId} and custody_contract is not null limit 1) c`

/** The same for whoever knows the contract. Ask as the venue. */
export const enterCustody = (sql: Sql, { chainId, custodyContract }: Custody) => sql`
  select set_config('tally.custody', ${`${chainId}:${custodyContract}`}, true),
    pg_advisory_xact_lock(hashtextextended(${`custody ${chainId}:${custodyContract}`}, 0))`

/** In the custody contract that was entered. */
export const readReservations = (sql: Sql, holders: readonly string[]) => sql<Reservation[]>`
  select holder, token_address as "tokenAddress", reserved from custody_reservations
  where chain_id = nullif(split_part(tally_custody(), ':', 1), '')::bigint and custody_contract = split_part(tally_custody(), ':', 2)
    and holder = any(${[...holders]}::text[])`

export const openReservations = (sql: Sql, custody: Custody, changes: readonly ReservationChange[], now: Date) => sql`
  insert into custody_reservations (chain_id, custody_contract, holder, token_address, updated_at)
  select ${custody.chainId}, ${custody.custodyContract}, holder, "tokenAddress", ${now}
  from json_to_recordset(${asJson(changes)}::text::json) as c(holder text, "tokenAddress" text)
  on conflict do nothing`

/** Only where it stays at or above zero: a row that is missing from the count would have gone below. */
export const moveReservations = (sql: Sql, custody: Custody, changes: readonly ReservationChange[], now: Date) => sql`
  update custody_reservations r set reserved = r.reserved + c.reserved, updated_at = ${now}
  from json_to_recordset(${asJson(changes)}::text::json) as c(holder text, "tokenAddress" text, reserved numeric)
  cross join lateral (select i.ctid from custody_reservations i where i.chain_id = ${custody.chainId}
    and i.custody_contract = ${custody.custodyContract} and i.holder = c.holder and i.token_address = c."tokenAddress"
    and i.reserved + c.reserved >= 0 offset 0) found
  where r.ctid = found.ctid`
