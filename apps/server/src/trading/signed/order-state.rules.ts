import type { EndReason } from '@tallystick/engine'
import { fitsPrefix, isUnreadable, type SaltPrefix } from './salt-prefix.rules.ts'
import type { SignedOrder } from './signed-order.rules.ts'

/** What the custody contract knows about a signed order. */
export interface OrderState {
  readonly filled: bigint
  readonly isCancelled: boolean
  readonly nonceFloor: bigint
  readonly saltPrefix: SaltPrefix
  readonly isSignatureValid: boolean
}

/** What its trader did to an order on chain; null: nothing. */
export function endedOnChain(
  { quantity, nonce }: SignedOrder,
  { filled, isCancelled, nonceFloor }: OrderState,
): Extract<EndReason, 'CANCELLED_ON_CHAIN' | 'NONCE_INVALIDATED' | 'FILLED_ON_CHAIN'> | null {
  if (isCancelled) return 'CANCELLED_ON_CHAIN'
  if (nonce < nonceFloor) return 'NONCE_INVALIDATED'
  return filled >= quantity ? 'FILLED_ON_CHAIN' : null
}

/** Why a resting order can no longer settle this much of it, in units of the chain; null: it can. */
export function deathOf(order: SignedOrder, state: OrderState, chainTime: number, wanted: bigint): EndReason | null {
  const ended = endedOnChain(order, state)
  if (ended) return ended
  if (order.quantity - state.filled < wanted) return 'FILLED_ON_CHAIN'
  if (order.expiry < BigInt(chainTime)) return 'ORDER_EXPIRED'
  if (!isUnreadable(state.saltPrefix) && !fitsPrefix(order.salt, state.saltPrefix)) return 'TOKEN_SPLIT'
  return state.isSignatureValid ? null : 'SIGNATURE_INVALID'
}
