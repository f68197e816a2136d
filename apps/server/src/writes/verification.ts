import { type Address, isAddressEqual } from 'viem'
import type { CallPair, Effect, Settled } from '../platform/chain/call-pair.ts'
import { decodeCall } from '../platform/chain/selectors.ts'
import type { MinedTransaction } from '../platform/chain/transaction.ts'
import { unprovenBy } from '../platform/chain/wrapper-events.ts'

interface Unverified {
  readonly ok: false
  readonly code: 'TX_REVERTED' | 'TX_WRONG_TARGET' | 'TX_WRONG_FUNCTION' | 'TX_NOT_VERIFIED'
  readonly detail?: string
}

export type Verification<E extends object> =
  | { readonly ok: true; readonly settled: Settled<E>; readonly verifiedBy: 'call' | 'receipt-log' }
  | Unverified

/** One of several writes of the same contract, any of which will do. */
export interface AcceptedCall {
  readonly pair: Pick<CallPair<never, object, never>, 'operation' | 'abi' | 'functionName' | 'settle'>
  /** Called directly, it may succeed and find nothing to change: then no event tells of it. */
  readonly mayChangeNothing?: boolean
}

export interface FoundEffect {
  readonly operation: string
  readonly functionName: string
  readonly settled: Settled<object>
}

export type AnyVerification =
  | {
      readonly ok: true
      readonly functionName: string
      readonly found: readonly FoundEffect[]
      readonly verifiedBy: 'call' | 'receipt-log'
    }
  | Unverified

function argumentsOf(
  pair: Pick<CallPair<never, object, never>, 'abi' | 'functionName'>,
  transaction: MinedTransaction,
): readonly unknown[] | null {
  try {
    const { functionName, args } = decodeCall(pair.abi, transaction.input)
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
export function verifyEffect<A, E extends object, X>(
  pair: CallPair<A, E, X>,
  target: Address,
  expected: X,
  transaction: MinedTransaction,
): Verification<E> {
  if (!transaction.succeeded) return { ok: false, code: 'TX_REVERTED' }
  const direct = isDirect(target, transaction)
  if (direct) {
    const args = argumentsOf(pair, transaction)
    if (!args) return { ok: false, code: 'TX_WRONG_FUNCTION' }
    if (!pair.isCallFor(args, expected)) return { ok: false, code: 'TX_NOT_VERIFIED' }
  }
  const settled = pair.settle(target, transaction.logs).find(({ effect }) => pair.isFor(effect, expected))
  if (settled) return { ok: true, settled, verifiedBy: direct ? 'call' : 'receipt-log' }
  return unproven(target, transaction)
}

/** One of several writes of a contract, and what it should have done. */
export interface ConfirmCandidate<E extends object = Effect> {
  readonly operation: string
  readonly functionName: string
  verify(target: Address, transaction: MinedTransaction): Verification<E>
}

export function candidate<A, E extends object, X>(pair: CallPair<A, E, X>, expected: X): ConfirmCandidate<E> {
  return {
    operation: pair.operation,
    functionName: pair.functionName,
    verify: (target, transaction) => verifyEffect(pair, target, expected, transaction),
  }
}

/** Which of several writes a transaction made: the one it called directly, or whichever a wrapper made by their events. */
export function verifyAny(
  accepted: readonly AcceptedCall[],
  target: Address,
  transaction: MinedTransaction,
): AnyVerification {
  if (!transaction.succeeded) return { ok: false, code: 'TX_REVERTED' }
  const direct = isDirect(target, transaction)
  const made = direct ? accepted.filter(({ pair }) => argumentsOf(pair, transaction)) : accepted
  const [first] = made
  if (!first) return { ok: false, code: 'TX_WRONG_FUNCTION' }
  const found = made.flatMap(({ pair: { operation, functionName, settle } }) =>
    settle(target, transaction.logs).map((settled) => ({ operation, functionName, settled })),
  )
  const [foundFirst] = found
  if (direct && (foundFirst || made.some(({ mayChangeNothing }) => mayChangeNothing)))
    return { ok: true, functionName: first.pair.functionName, found, verifiedBy: 'call' }
  if (foundFirst) return { ok: true, functionName: foundFirst.functionName, found, verifiedBy: 'receipt-log' }
  return unproven(target, transaction)
}

const isDirect = (target: Address, { to }: MinedTransaction) => to !== null && isAddressEqual(to, target)

/** Why a transaction that succeeded proves nothing. */
function unproven(target: Address, transaction: MinedTransaction): Unverified {
  if (isDirect(target, transaction)) return { ok: false, code: 'TX_NOT_VERIFIED' }
  return unprovenBy(transaction.logs, target)
}
