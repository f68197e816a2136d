import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'
import type { SignedRow } from '../signed/index.rules.ts'
import { readSigned } from '../signed/index.ts'
import * as store from './settlements.store.ts'
import type { Market, SignedSide, StagedTrade } from './staged-trade.rules.ts'

/** A trade of a settlement, and how it stands. */
export interface StandingTrade extends StagedTrade {
  readonly settlementId: string
  readonly status: 'PROCESSING' | 'CONFIRMED' | 'FAILED'
  readonly error: string | null
}

export const marketOf = (book: store.SettledBook): Market => ({
  class: book.class,
  chainId: Number(book.chainId),
  custody: book.custodyContract,
  token: book.tokenAddress,
  baseDecimals: book.baseDecimals,
  quoteDecimals: book.quoteDecimals,
})

function sideOf(row: SignedRow | undefined): SignedSide {
  if (!row) throw new Error('a staged trade has no signature')
  const { orderId, orderHash, signature, trader, isBuy, quantity, price, maxFee, expiry, nonce, salt } = row
  const [token, quote]: [Address, Address] = [row.tokenAddress, row.quoteTokenAddress]
  const order = { trader, token, quote, isBuy, quantity, price, maxFee, expiry, nonce, salt }
  return { orderId, orderHash, order, signature }
}

/** The trades of settlements with what was signed for them. Ask as the venue, which has named the unit, or as the operator. */
export async function loadTrades(
  sql: Sql,
  settlementIds: readonly string[],
  which: 'all' | 'waiting',
): Promise<StandingTrade[]> {
  const rows = await store.listTrades(sql, settlementIds, which === 'waiting')
  const orderIds = new Set(rows.flatMap(({ makerOrderId, takerOrderId }) => [makerOrderId, takerOrderId]))
  const signed = new Map((await readSigned(sql, [...orderIds])).map((row) => [row.orderId, row]))
  return rows.map(({ number, makerOrderId, takerOrderId, ...row }) => ({
    ...row,
    number: Number(number),
    maker: sideOf(signed.get(makerOrderId)),
    taker: sideOf(signed.get(takerOrderId)),
  }))
}
