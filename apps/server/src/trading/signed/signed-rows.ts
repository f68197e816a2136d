import type { Address, Hex } from 'viem'
import type { Database, TenantDatabase } from '../../platform/db/database.ts'
import { inUnit } from '../unit/index.ts'
import type { OnchainBook } from './onchain-book.ts'
import type { SignedOrder } from './signed-order.rules.ts'
import * as store from './signed-orders.store.ts'

/** What the trader of an order signed. */
export interface StoredSigned {
  readonly orderId: string
  readonly custody: Address
  readonly hash: Hex
  readonly signature: Hex
  readonly order: SignedOrder
}

const asStored = (row: store.SignedRow): StoredSigned => ({
  orderId: row.orderId,
  custody: row.custodyContract,
  hash: row.orderHash,
  signature: row.signature,
  order: {
    trader: row.trader,
    token: row.tokenAddress,
    quote: row.quoteTokenAddress,
    isBuy: row.isBuy,
    quantity: row.quantity,
    price: row.price,
    maxFee: row.maxFee,
    expiry: row.expiry,
    nonce: row.nonce,
    salt: row.salt,
  },
})

/** Signatures are rows of the venue: an order of another instance is looked at to see whether it can still settle. */
export function createSignedRows(database: Database) {
  return {
    async ofOrders(tenant: Pick<TenantDatabase, 'joined'>, unitId: string, orderIds: readonly string[]) {
      if (orderIds.length === 0) return new Map<string, StoredSigned>()
      const rows = await inUnit(database, unitId, (sql) => store.readSigned(sql, orderIds), tenant)
      return new Map(rows.map((row) => [row.orderId, asStored(row)]))
    },

    /** By hash, the order that each of these signatures made. */
    async usedBefore(tenant: Pick<TenantDatabase, 'joined'>, book: OnchainBook, hashes: readonly Hex[]) {
      const rows = await inUnit(database, book.unitId, (sql) => store.findUsed(sql, book, hashes), tenant)
      return new Map(rows.map(({ orderHash, orderId }) => [orderHash, orderId]))
    },
  }
}

export type SignedRows = ReturnType<typeof createSignedRows>
