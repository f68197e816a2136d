import type { RelayedStatus } from '@tallystick/wire'
import type { Hex } from 'viem'
import type { AttemptRow, OpenRelay } from './upkeep.store.ts'

/** What the chain shows of a transaction. */
export interface Receipt {
  readonly succeeded: boolean
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly gasUsed: bigint
}

/** What the chain shows of an account. */
export interface AccountView {
  /** By hash; those that are not mined are missing. */
  readonly receipts: ReadonlyMap<Hex, Receipt>
  /** Nonces used up to the newest block. */
  readonly used: bigint
  /** What used a nonce without showing its receipt, by the nonce, as read in a final block. */
  readonly takers: ReadonlyMap<bigint, Hex>
  /** The blocks that now stand where something was mined whose receipt is missing, by their height. */
  readonly blocks: ReadonlyMap<bigint, Hex>
  readonly finalHeight: bigint
}

interface AttemptRuling {
  readonly attemptId: string
  readonly status: RelayedStatus
  readonly replacedBy: Hex | null
  readonly reason: string | null
}

/**
 * OPEN: not mined. UNCLEAR: what the node shows does not fit together; perhaps a part of it only lags. LOST: another transaction used
 * the nonce, in a final block. REOPENED: it was mined in a block that is gone.
 */
export type Verdict =
  | { readonly is: 'OPEN' }
  | { readonly is: 'UNCLEAR' }
  | { readonly is: 'LOST' | 'REOPENED'; readonly attempts: readonly AttemptRuling[] }
  | ({
      readonly is: 'MINED'
      readonly winner: string
      readonly final: boolean
      /** Nothing of this is on record yet. */
      readonly isNews: boolean
      readonly attempts: readonly AttemptRuling[]
    } & Receipt)

const REPEAT_MS = 30_000
const REVERTED = 'mined, but the call failed'
const CANCELLED = 'cancelled: no node took it, so its nonce was used for nothing'
const TAKEN_BY_ANOTHER = 'its nonce was used by a transaction that this relayer did not send'

function loser(relay: OpenRelay, attempt: AttemptRow, winner: AttemptRow): AttemptRuling {
  const cancelled = winner.kind === 'FILL' && attempt.kind === 'CALL'
  return {
    attemptId: attempt.attemptId,
    status: cancelled ? 'failed' : 'replaced',
    replacedBy: winner.txHash,
    reason: cancelled && relay.kind === 'CALL' ? CANCELLED : null,
  }
}

function mined(relay: OpenRelay, winner: AttemptRow, receipt: Receipt, finalHeight: bigint): Verdict {
  const final = receipt.blockNumber <= finalHeight
  const known = winner.blockHash === receipt.blockHash && relay.state === 'MINED'
  const won: AttemptRuling = {
    attemptId: winner.attemptId,
    status: receipt.succeeded ? 'confirmed' : 'failed',
    replacedBy: null,
    reason: receipt.succeeded ? null : REVERTED,
  }
  const attempts = relay.attempts.map((attempt) => (attempt === winner ? won : loser(relay, attempt, winner)))
  return { is: 'MINED', winner: winner.attemptId, final, isNews: final || !known, attempts, ...receipt }
}

/** The newest waits again, and every other one is replaced by the one after it. */
function reopened(relay: OpenRelay): Verdict {
  const attempts = relay.attempts.map(({ attemptId }, index): AttemptRuling => {
    const next = relay.attempts[index + 1]
    return { attemptId, status: next ? 'replaced' : 'pending', replacedBy: next?.txHash ?? null, reason: null }
  })
  return { is: 'REOPENED', attempts }
}

/** Whether another block stands where it was mined. A node that lags has none there, or still the same one. */
function isUndone({ attempts }: OpenRelay, blocks: AccountView['blocks']): boolean {
  return attempts.some(({ blockNumber, blockHash }) => {
    const now = blockNumber === null ? undefined : blocks.get(blockNumber)
    return now !== undefined && now !== blockHash
  })
}

/** What became of a nonce. Nodes may lag behind each other: that nonce and receipt do not fit at one moment says nothing yet. */
export function judge(relay: OpenRelay, { receipts, used, takers, blocks, finalHeight }: AccountView): Verdict {
  for (const attempt of relay.attempts) {
    const receipt = receipts.get(attempt.txHash)
    if (receipt) return mined(relay, attempt, receipt, finalHeight)
  }
  if (relay.state === 'MINED' && isUndone(relay, blocks)) return reopened(relay)
  if (relay.nonce >= used) return { is: relay.state === 'MINED' ? 'UNCLEAR' : 'OPEN' }
  const taker = takers.get(relay.nonce)
  if (taker === undefined || relay.attempts.some(({ txHash }) => txHash === taker)) return { is: 'UNCLEAR' }
  const attempts = relay.attempts.map(({ attemptId }) => ({
    attemptId,
    status: 'failed' as const,
    replacedBy: null,
    reason: `${TAKEN_BY_ANOTHER}: ${taker}`,
  }))
  return { is: 'LOST', attempts }
}

/** The one that is to be mined. */
export function newestOf({ attempts }: OpenRelay): AttemptRow {
  const newest = attempts.at(-1)
  if (!newest) throw new Error('a signed nonce without a transaction')
  return newest
}

/** A node may have dropped what it took; what it did not take, it may take now. */
export function isDue({ sentAt, refusedAs }: AttemptRow, now: Date): boolean {
  return sentAt === null || refusedAs !== null || now.getTime() - sentAt.getTime() >= REPEAT_MS
}

/** Whether the transaction at the head of the row, or one that the price of gas has left behind, has waited too long. */
export function isStuck(
  relay: OpenRelay,
  newest: AttemptRow,
  now: Date,
  { used, baseFee, stuckMs }: { readonly used: bigint; readonly baseFee: bigint | null; readonly stuckMs: number },
): boolean {
  const since = newest.takenAt ?? newest.createdAt
  if (now.getTime() - since.getTime() < stuckMs) return false
  return relay.nonce === used || (baseFee !== null && newest.maxFeePerGas < baseFee)
}
