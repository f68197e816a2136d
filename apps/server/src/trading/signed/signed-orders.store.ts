import type { Address, Hex } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

export interface SignedRow {
  readonly orderId: string
  readonly custodyContract: Address
  readonly orderHash: Hex
  readonly trader: Address
  readonly tokenAddress: Address
  readonly quoteTokenAddress: Address
  readonly isBuy: boolean
  readonly quantity: bigint
  readonly price: bigint
  readonly maxFee: bigint
  readonly expiry: bigint
  readonly nonce: bigint
  readonly salt: Hex
  readonly signature: Hex
}

/** Of the unit that was named, as the venue; of any, as the operator. */
export const readSigned = (sql: Sql, orderIds: readonly string[]) => sql<SignedRow[]>`
  select order_id as "orderId", custody_contract as "custodyContract", order_hash as "orderHash", trader, token_address as "tokenAddress",
    quote_token_address as "quoteTokenAddress", is_buy as "isBuy", quantity, price, max_fee as "maxFee", expiry, nonce, salt, signature
  from signed_orders where order_id = any(${[...orderIds]}::text[]::uuid[])`

/** Which of these signatures were used before. */
export const findUsed = (sql: Sql, custody: { chainId: number; custody: string }, hashes: readonly string[]) => sql<
  { orderId: string; orderHash: string }[]
>`
  select order_id as "orderId", order_hash as "orderHash" from signed_orders
  where chain_id = ${custody.chainId} and custody_contract = ${custody.custody} and order_hash = any(${[...hashes]}::text[])`

/** What is spoken for of a wallet that has a trading account of the instance. */
export const readReserved = (
  sql: Sql,
  { chainId, custody }: { chainId: number; custody: string },
  holder: string,
  tokenAddress: string,
) => sql<{ reserved: bigint }[]>`
  select reserved from custody_reservations
  where chain_id = ${chainId} and custody_contract = ${custody} and holder = ${holder} and token_address = ${tokenAddress}`
