import { type Address, toHex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import type { TradingParts } from '../parts.ts'
import { exactChainAmount, stepOf, unitsDown } from './chain-units.rules.ts'
import { hashOnBook, orderToSign } from './draft.ts'
import { createInquiry } from './inquiry.ts'
import { limitFor } from './market-limit.ts'
import { type OnchainBook, sizeOnChain } from './onchain-book.ts'
import { askSaltPrefix, nonceFloorRead } from './order-state.ts'
import {
  DEFAULT_LIFE,
  feeAtLimit,
  requireExpiry,
  requireMaxFee,
  requireNonce,
  requireReadable,
  requireSalt,
} from './order-terms.ts'
import { saltFrom } from './salt-prefix.rules.ts'
import { ORDER_TYPES, orderAsText, orderDomain } from './signed-order.rules.ts'
import { readReserved } from './signed-orders.store.ts'
import type { Custodies } from './token-terms.service.ts'

export interface TermsRequest {
  readonly userAddress: string
  readonly side: 'BUY' | 'SELL'
  readonly orderType?: 'LIMIT' | 'MARKET'
  readonly price?: string
  readonly quantity: string
  readonly maxFee?: string
  readonly expiry?: number | string
  readonly nonce?: string
  readonly salt?: string
}

const SALT_BYTES = 32

/** Sizes that the book would not take; its tick is looked at when the order comes in. */
function requireSize({ row }: OnchainBook, quantity: bigint): void {
  if (quantity < row.minOrderSize) throw new AppError('ORDER_TOO_SMALL')
  if (row.maxOrderSize !== null && quantity > row.maxOrderSize) throw new AppError('ORDER_TOO_LARGE')
}

export function createPrepareService({
  clock,
  random,
  chains,
  custodies,
}: Pick<TradingParts, 'clock' | 'random' | 'chains'> & { readonly custodies: Custodies }) {
  /** What the order will need reserved, beside what there is. Advice: it may have changed when the order comes in. */
  async function adviseOn(
    tenant: TenantDatabase,
    book: OnchainBook,
    { trader, side, needed, backing }: { trader: Address; side: 'BUY' | 'SELL'; needed: bigint; backing: bigint },
  ) {
    const [tokenAddress, decimals] = side === 'BUY' ? [book.quote, book.quoteDecimals] : [book.token, book.baseDecimals]
    const [row] = await tenant.read((sql) => readReserved(sql, book, trader, tokenAddress))
    const reserved = row?.reserved ?? 0n
    const available = unitsDown(backing, decimals) - reserved
    const step = stepOf(decimals)
    /** Rounded up to what the token can tell. */
    const onChain = (units: bigint) =>
      (exactChainAmount(((units + step - 1n) / step) * step, decimals) ?? 0n).toString()
    return {
      tokenAddress,
      amount: onChain(needed),
      available: onChain(available < 0n ? 0n : available),
      onChainAvailable: backing.toString(),
      reserved: onChain(reserved),
      sufficient: needed <= available,
    }
  }

  return {
    async prepare(tenant: TenantDatabase, book: OnchainBook, request: TermsRequest) {
      const { side } = request
      const trader = requireAddressField('userAddress', request.userAddress)
      const quantity = BigInt(request.quantity)
      const limit = limitFor(book.row, request, clock.now())
      const { price } = limit
      const size = sizeOnChain(book, { quantity: request.quantity, price: price.toString() })
      requireSize(book, quantity)
      const chain = chains.get(book.chainId)
      const custody = await custodies.of(chain, book)
      const inquiry = createInquiry()
      const floor = inquiry.askOurs(nonceFloorRead(book.custody, trader))
      const prefix = askSaltPrefix(inquiry, book.custody, book.token, book.quote, custody.eras)
      const backing = custody.askBacking(inquiry, trader, side === 'BUY' ? book.quote : book.token)
      const block = await inquiry.send(chain)

      const now = Math.max(block.time, Math.floor(clock.now().getTime() / 1_000))
      const salt =
        request.salt === undefined
          ? saltFrom(toHex(random(SALT_BYTES)), requireReadable(prefix()))
          : requireSalt(loweredHex(request.salt), prefix())
      const order = orderToSign(book, size, {
        trader,
        side,
        maxFee: request.maxFee === undefined ? limit.maxFee : requireMaxFee(request.maxFee),
        expiry: requireExpiry(Number(request.expiry ?? now + DEFAULT_LIFE), now, false),
        nonce: request.nonce === undefined ? floor() : requireNonce(request.nonce),
        salt,
      })
      const notionalUnits = (quantity * price) / 1_000_000n
      const needed = side === 'SELL' ? quantity : notionalUnits + feeAtLimit(book.row, quantity, price)
      const data = {
        order: orderAsText(order),
        domain: orderDomain(book.class, book.chainId, book.custody),
        types: { Order: ORDER_TYPES.Order.map((field) => ({ ...field })) },
        primaryType: 'Order' as const,
        orderHash: hashOnBook(book, order),
        notional: size.notional.toString(),
        orderBookId: book.bookId,
        custodyContract: book.custody,
        ...(limit.submitAs === undefined ? {} : { submitAs: limit.submitAs }),
        reservation: await adviseOn(tenant, book, { trader, side, needed, backing: backing() }),
      }
      return { data, block }
    },
  }
}
