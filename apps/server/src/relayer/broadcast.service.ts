import type { Hex } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import { ChainUnavailableError } from '../platform/chain/rpc.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { noteBroadcast } from './attempts.store.ts'
import { meaningOf } from './broadcast.rules.ts'

/** A transaction that is stored: from here on it may be sent as often as one likes, and is mined at most once. */
export interface StoredTransaction {
  readonly instanceId: string
  readonly attemptId: string
  readonly txHash: Hex
  readonly raw: Hex
}

/** What a node made of it; null: it took it. */
export interface Sent {
  readonly sentAt: Date
  readonly refusedAs: string | null
}

const LONGEST_REASON = 200

export function createBroadcast({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  /** Hands it to a node, and notes what the node said. Null: no node could be asked. */
  return async function broadcast(chain: Chain, transaction: StoredTransaction): Promise<Sent | null> {
    const { txHash, raw } = transaction
    let fault: string | null
    try {
      const [answer] = await chain.rpc.batch([{ method: 'eth_sendRawTransaction', params: [raw] }])
      fault = answer?.ok ? null : (answer?.fault.message ?? 'no answer')
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error
      log.warn(
        { chainId: chain.chainId, txHash, err: error },
        'a relayed transaction could not be broadcast; trying again',
      )
      return null
    }
    const meaning = fault === null ? 'TAKEN' : meaningOf(fault)
    const isTaken = meaning === 'TAKEN' || meaning === 'PASSED'
    if (!isTaken) log.warn({ chainId: chain.chainId, txHash, fault }, 'a node did not take a relayed transaction')
    const refusedAs = isTaken ? null : (fault ?? '').slice(0, LONGEST_REASON)
    const sentAt = clock.now()
    await database.as('tally_relayer', (sql) => noteBroadcast(sql, transaction, refusedAs, sentAt))
    return { sentAt, refusedAs }
  }
}

export type Broadcast = ReturnType<typeof createBroadcast>
