import { type Address, decodeFunctionData, isAddressEqual } from 'viem'
import type { CallPair, Effect, Settled } from '../platform/chain/call-pair.ts'
import type { MinedTransaction } from '../platform/chain/transaction.ts'
import { reportsInnerFailure } from '../platform/chain/wrapper-events.ts'

export type Verification<E extends Effect> =
  | { readonly ok: true; readonly settled: Settled<E>; readonly verifiedBy: 'call' | 'receipt-log' }
  | {
      readonly ok: false
      readonly code: 'TX_REVERTED' | 'TX_WRONG_TARGET' | 'TX_WRONG_FUNCTION' | 'TX_NOT_VERIFIED'
      readonly detail?: string
    }

function decodeCall<A, E extends Effect, X>(
  pair: CallPair<A, E, X>,
  transaction: MinedTransaction,
): readonly unknown[] | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: pair.abi, data: transaction.input })
    return functionName === pair.functionName ? ((args ?? []) as readonly unknown[]) : null
  } catch {
    // Calldata of no function we know is simply another function.
    return null
  }
}

/**
 * Proves the effect, not the envelope. A direct call must name the function and the entity, and its event must be there; a call
 * wrapped by a Safe, an entry point or a multicall is proven by the event of the expected contract alone.
 */
export function verifyEffect<A, E extends Effect, X>(
  pair: CallPair<A, E, X>,
  target: Address,
  expected: X,
  transaction: MinedTransaction,
): Verification<E> {
  if (!transaction.succeeded) return { ok: false, code: 'TX_REVERTED' }
  const direct = transaction.to !== null && isAddressEqual(transaction.to, target)
  if (direct) {
    const args = decodeCall(pair, transaction)
    if (!args) return { ok: false, code: 'TX_WRONG_FUNCTION' }
    if (!pair.isCallFor(args, expected)) return { ok: false, code: 'TX_NOT_VERIFIED' }
  }
  const settled = pair.settle(target, transaction.logs).find(({ effect }) => pair.isFor(effect, expected))
  if (settled) return { ok: true, settled, verifiedBy: direct ? 'call' : 'receipt-log' }
  if (direct) return { ok: false, code: 'TX_NOT_VERIFIED' }
  if (reportsInnerFailure(transaction.logs))
    return {
      ok: false,
      code: 'TX_REVERTED',
      detail: 'The transaction was mined, but the call inside it failed, so nothing happened on chain.',
    }
  const touched = transaction.logs.some((log) => isAddressEqual(log.address, target))
  return { ok: false, code: touched ? 'TX_NOT_VERIFIED' : 'TX_WRONG_TARGET' }
}
