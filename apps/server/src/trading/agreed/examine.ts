import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { deathOf, isSignedByKey, type SignedOrder } from '../signed/index.rules.ts'
import {
  askOrderState,
  type Custodies,
  createInquiry,
  type OnchainBook,
  refuseDelivery,
  requireExpiry,
  requireLive,
  requireSalt,
} from '../signed/index.ts'

export interface SignedSide {
  readonly signed: SignedOrder
  readonly hash: Hex
  readonly signature: Hex
  readonly quoteAmount: bigint
}

/** What the chain says about the side of a trade that is new, and about the one that was there before, if any. */
export interface Examined {
  /** Of the new side, in smallest units of what it spends. */
  readonly backing: bigint
  /** Of the other side; null: it cannot settle any more. */
  readonly otherBacking: bigint | null
  readonly block: Block
}

/**
 * Everything that the chain has to say before a side of a trade is taken, in one round trip: whether it is signed and alive, whether the
 * token's rules let its party settle, and what backs it.
 */
export async function examine(
  chain: Chain,
  custodies: Custodies,
  book: OnchainBook,
  own: SignedSide,
  other?: SignedSide,
): Promise<Examined> {
  const custody = await custodies.of(chain, book)
  const inquiry = createInquiry()
  const ask = async ({ signed, hash, signature, quoteAmount }: SignedSide) => {
    const isKeySigned = await isSignedByKey(signed.trader, hash, signature)
    return {
      state: askOrderState(
        inquiry,
        book.custody,
        { order: signed, hash, signature: isKeySigned ? null : signature },
        custody.eras,
      ),
      backing: custody.askBacking(inquiry, signed.trader, signed.isBuy ? book.quote : book.token),
      hindrance: custody.askTrader(inquiry, signed, quoteAmount),
    }
  }
  const [mine, theirs] = [await ask(own), other ? await ask(other) : null]
  const market = custody.askMarket(inquiry)
  const block = await inquiry.send(chain)

  const unsupported = market()
  // The rules of a token were changed since they were looked at.
  if (unsupported === 'CHANGED') {
    custodies.forget(book)
    return examine(chain, custodies, book, own, other)
  }
  const state = mine.state()
  if (!state.isSignatureValid) throw new AppError('INVALID_SIGNATURE')
  requireExpiry(Number(own.signed.expiry), block.time, true)
  requireSalt(own.signed.salt, state.saltPrefix)
  requireLive(own, { state })
  if (unsupported) throw new AppError('ONCHAIN_SETTLEMENT_UNAVAILABLE')
  const hindrance = mine.hindrance(block)
  if (hindrance) throw refuseDelivery(hindrance)

  if (!other || !theirs) return { backing: mine.backing(), otherBacking: null, block }
  const isDead = deathOf(other.signed, theirs.state(), block.time, other.signed.quantity) !== null
  const otherBacking = isDead || theirs.hindrance(block) ? null : theirs.backing()
  return { backing: mine.backing(), otherBacking, block }
}
