import type { Address } from 'viem'
import type { Sql, TenantDatabase } from '../../platform/db/database.ts'
import type { BookClass } from '../books/index.rules.ts'

/** Under which name a deployment records the custody contract of a class. */
const NAMES: Readonly<Record<BookClass, string>> = {
  stocks: 'StockTradingVault',
  commodities: 'CommodityTradingVault',
  'external-securities': 'SignedOrderSettlement',
}

const readCustodyContracts = (sql: Sql, chainId: number) => sql<{ name: string; address: Address }[]>`
  select name, address from deployed_contracts where chain_id = ${chainId} and name = any(${Object.values(NAMES)}::text[])`

/** Of each class on a chain; a class without one is missing. */
export async function custodyContractsOf(
  tenant: TenantDatabase,
  chainId: number,
): Promise<ReadonlyMap<BookClass, Address>> {
  const rows = await tenant.read((sql) => readCustodyContracts(sql, chainId))
  const classes = Object.keys(NAMES) as BookClass[]
  return new Map(
    rows.flatMap(({ name, address }) => {
      const bookClass = classes.find((one) => NAMES[one] === name)
      return bookClass ? [[bookClass, address] as const] : []
    }),
  )
}

/** Whether the instance has a book on the pair that is not closed. */
export const findOpenPair = (sql: Sql, instanceId: string, tokenAddress: string, quoteTokenAddress: string) => sql<
  { bookId: string }[]
>`
  select book_id as "bookId" from order_books
  where instance_id = ${instanceId} and token_address = ${tokenAddress} and quote_token_address = ${quoteTokenAddress}
    and status <> 'CLOSED'`

/** What a wallet's open orders, staged trades and quotes hold in a custody contract, in order book units. */
export const readReserved = (sql: Sql, custody: { chainId: number; custodyContract: string; holder: string }) => sql<
  { tokenAddress: string; reserved: bigint }[]
>`
  select token_address as "tokenAddress", reserved from custody_reservations
  where chain_id = ${custody.chainId} and custody_contract = ${custody.custodyContract} and holder = ${custody.holder}`

/** Units in which an order of the wallet is past its time and still holds something. */
export const listDueUnits = (sql: Sql, instanceId: string, holder: string, now: Date) => sql<{ unitId: string }[]>`
  select distinct unit_id as "unitId" from orders
  where instance_id = ${instanceId} and holder = ${holder} and expires_at <= ${now}
    and status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')`

/** On record for the class, or that of a book which the instance owns or imported: a deployment may move on to another one. */
export const isCustodyOfClass = (sql: Sql, chainId: number, bookClass: BookClass, address: string) => sql<
  { isCustody: boolean }[]
>`
  select exists (select from deployed_contracts where chain_id = ${chainId} and name = ${NAMES[bookClass]} and address = ${address})
    or exists (select from order_books where chain_id = ${chainId} and class = ${bookClass} and custody_contract = ${address})
    as "isCustody"`
