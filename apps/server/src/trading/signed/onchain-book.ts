import type { Address } from 'viem'
import { type AppCode, AppError } from '../../platform/app-error.ts'
import { type BookClass, type BookRow, MAX_UNITS } from '../books/index.rules.ts'
import { CHAIN_AMOUNT_LIMIT, exactChainAmount, isFillTooSmall, quoteAmountDown, stepOf } from './chain-units.rules.ts'

/** A book whose trades settle on chain, with what has to be known for it. */
export interface OnchainBook {
  readonly row: BookRow
  readonly bookId: string
  readonly unitId: string
  readonly class: BookClass
  readonly chainId: number
  readonly token: Address
  readonly quote: Address
  readonly custody: Address
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

export function asOnchainBook(row: BookRow): OnchainBook {
  const { custodyContract, baseDecimals, quoteDecimals } = row
  if (row.settlementMode !== 'ON_CHAIN') throw new AppError('WRONG_SETTLEMENT_MODE')
  if (custodyContract === null || baseDecimals === null || quoteDecimals === null)
    throw new Error(`book ${row.bookId} settles on chain, but it is not known how`)
  return {
    row,
    bookId: row.bookId,
    unitId: row.unitId,
    class: row.class,
    chainId: Number(row.chainId),
    token: row.tokenAddress,
    quote: row.quoteTokenAddress,
    custody: custodyContract,
    baseDecimals,
    quoteDecimals,
  }
}

export interface ChainSize {
  readonly quantity: bigint
  readonly price: bigint
  /** What the whole order is worth at its limit. */
  readonly notional: bigint
}

function onChain(code: AppCode, units: bigint, decimals: number): bigint {
  if (units <= 0n || units > MAX_UNITS) throw new AppError(code)
  const amount = exactChainAmount(units, decimals)
  if (amount === null) throw new AppError(code, { extra: { step: stepOf(decimals).toString() } })
  return amount
}

/** Quantity and price as they are signed: exact, or refused with the step that would be. */
export function sizeOnChain(
  { baseDecimals, quoteDecimals }: Pick<OnchainBook, 'baseDecimals' | 'quoteDecimals'>,
  request: { readonly quantity: string; readonly price: string },
): ChainSize {
  const quantity = onChain('INVALID_QUANTITY', BigInt(request.quantity), baseDecimals)
  const price = onChain('INVALID_PRICE', BigInt(request.price), quoteDecimals)
  if (isFillTooSmall(quantity, price, baseDecimals)) throw new AppError('ORDER_TOO_SMALL')
  const notional = quoteAmountDown(quantity, price, baseDecimals)
  if (quantity >= CHAIN_AMOUNT_LIMIT || notional >= CHAIN_AMOUNT_LIMIT) throw new AppError('ORDER_TOO_LARGE')
  return { quantity, price, notional }
}
