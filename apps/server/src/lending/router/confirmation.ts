import type { Hex } from 'viem'
import type { Alongside, ConfirmedEffect } from '../../intents/index.ts'
import type { AppCode } from '../../platform/app-error.ts'
import { AppError } from '../../platform/app-error.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { DeployedRecord, MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'

export type Proof = ConfirmedEffect<Effect>

interface Reported<A, X> {
  readonly record: DeployedRecord
  readonly chain: Chain
  readonly pair: CallPair<A, Effect, X>
  readonly expected: X
  readonly txHash: string
  /** How this write calls a transaction that failed, if it has a word of its own. */
  readonly revertCode?: AppCode
  /** Refuses before anything is recorded. */
  readonly check?: (proof: Proof) => void
}

/** Proves a write on a router or a market. Where a failed transaction has a name of its own it carries the hash. */
export function createConfirmation({ intents }: LendingParts) {
  return async <A, X>(
    { tenant }: MarketCall,
    { record, chain, pair, expected, txHash, revertCode, check }: Reported<A, X>,
  ): Promise<Proof> => {
    const { market } = record
    const kind = pair.operation.startsWith('market.') ? 'market' : 'router'
    const intent = { chain, pair, target: kind === 'market' ? market.address : market.router, kind }
    const alongside = (proof: Proof): Alongside => {
      check?.(proof)
      return {}
    }
    try {
      return await intents.confirm(tenant, intent, expected, txHash as Hex, alongside)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TX_REVERTED' || revertCode === undefined) throw error
      throw new AppError(revertCode, {
        ...(error.detail ? { detail: error.detail } : {}),
        extra: { txHash: txHash.toLowerCase() },
      })
    }
  }
}

/** What every confirmation says alike. */
export function provenBy({ transaction, verifiedBy }: Proof) {
  return { txHash: transaction.hash, ...(verifiedBy ? { verifiedBy } : {}) }
}

export const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
export const minedAt = ({ transaction }: Proof): string => instantOf(transaction.block.time)
export const amountIn = ({ effect }: Proof, name: string): bigint => BigInt(String(effect[name]))
