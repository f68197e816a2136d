import type { Address, Hex } from 'viem'
import { AppError } from '../platform/app-error.ts'
import type { CallPair, Effect } from '../platform/chain/call-pair.ts'
import type { Chain } from '../platform/chain/chain.ts'
import type { ExplainRevert } from '../platform/chain/reverts.ts'
import { simulate } from '../platform/chain/simulate.ts'
import { type MinedTransaction, readTransaction } from '../platform/chain/transaction.ts'
import type { Clock } from '../platform/clock.ts'
import { actAs, type Sql, type TenantDatabase } from '../platform/db/database.ts'
import type { Random } from '../platform/random.ts'
import { createEventStore } from './events.service.ts'
import { scanAgainFrom, watchContract } from './events.store.ts'
import type { Projection } from './projection.ts'
import * as recordings from './recordings.store.ts'
import { verifyEffect } from './verification.ts'

/** Where a write goes and what it should do there. */
export interface Intent<A, E extends Effect, X> {
  readonly chain: Chain
  readonly pair: CallPair<A, E, X>
  readonly target: Address
  /** The set of calls that the follower reads at this contract. */
  readonly kind: string
}

export interface ConfirmedEffect<E extends Effect> {
  readonly effect: E
  readonly logIndex: number
  readonly transaction: MinedTransaction
  /** Undefined for a direct call; the interface then adds no field. */
  readonly verifiedBy: 'receipt-log' | undefined
}

/** A contract whose events belong to what was confirmed: from now on the instance reads them, and the follower takes them down. */
export interface ConcernedContract {
  readonly address: Address
  readonly kind: string
  readonly fromBlock: bigint
}

/** What a feature writes in the very transaction that records a proven effect. */
export interface Alongside {
  readonly concerns?: readonly ConcernedContract[]
  /** Under the role tally_chain: rows that all instances share. */
  readonly asChain?: (sql: Sql) => Promise<void>
  /** Under the role tally_api: rows of the caller's instance. */
  readonly asTenant?: (sql: Sql) => Promise<void>
}

export interface IntentsParts {
  readonly clock: Clock
  readonly random: Random
  readonly projections: readonly Projection[]
}

export function createIntentsService({ clock, random, projections }: IntentsParts) {
  const events = createEventStore({ clock, random })

  return {
    /** What the caller signs, and what would happen if it were sent now. A failing simulation refuses nothing. */
    async build<A, E extends Effect, X>(
      intent: Intent<A, E, X>,
      args: A,
      signer: Address | null,
      explain: ExplainRevert,
    ) {
      const { chain, pair, target } = intent
      const call = pair.prepare(target, args)
      const simulation = await simulate(chain, signer, [call], { clock, explain })
      return {
        action: 'SIGN_TRANSACTION' as const,
        // No call of this product carries ether.
        transaction: { to: call.to, data: call.data, value: '0' as const, chainId: chain.chainId },
        functionName: pair.functionName,
        simulation: { ...simulation, gasUsed: simulation.gasUsed?.toString() ?? null },
      }
    },

    /**
     * The one verifier. Proves the effect from the receipt and records it: the event once for everybody, the recording once per
     * instance. A failed proof writes nothing; the same hash twice gives the same answer and one row.
     */
    async confirm<A, E extends Effect, X>(
      tenant: TenantDatabase,
      intent: Intent<A, E, X>,
      expected: X,
      txHash: Hex,
      alongside: (proof: ConfirmedEffect<E>) => Promise<Alongside> | Alongside = () => ({}),
    ): Promise<ConfirmedEffect<E>> {
      const { chain, pair, target, kind } = intent
      const transaction = await readTransaction(chain, txHash.toLowerCase() as Hex)
      if (!transaction) throw new AppError('TX_NOT_FOUND')
      const verification = verifyEffect(pair, target, expected, transaction)
      if (!verification.ok)
        throw new AppError(verification.code, verification.detail ? { detail: verification.detail } : {})

      const { logIndex, effect } = verification.settled
      const subject = target.toLowerCase()
      const { block } = transaction
      const log = transaction.logs.find((one) => one.logIndex === logIndex)
      if (!log) throw new Error('a settled effect points at a log that the receipt does not have')
      const row = {
        ...log,
        chainId: chain.chainId,
        txHash: transaction.hash,
        blockNumber: block.number,
        blockHash: block.hash,
        blockTime: block.time,
        txFrom: transaction.from,
      }
      const { operation } = pair
      const proof: ConfirmedEffect<E> = {
        effect,
        logIndex,
        transaction,
        verifiedBy: verification.verifiedBy === 'call' ? undefined : 'receipt-log',
      }
      const { concerns = [], asChain, asTenant } = await alongside(proof)
      await tenant.transaction(async (sql) => {
        await actAs(sql, 'tally_chain')
        const watched = [{ address: subject, kind, fromBlock: block.number }, ...concerns]
        // In one order for everybody: each takes a lock.
        for (const { address, kind, fromBlock } of watched.toSorted((a, b) => (a.address < b.address ? -1 : 1)))
          await watchContract(sql, chain.chainId, address, kind, fromBlock)
        await asChain?.(sql)
        const stored = await events.store(sql, row, [{ operation, effect }], 'confirm')
        if (stored.log === 'new') await scanAgainFrom(sql, chain.chainId, subject, block.number)
        if (stored.changed) for (const project of projections) await project(sql, chain.chainId, subject)
        await actAs(sql, 'tally_api')
        const now = clock.now()
        for (const address of [subject, ...concerns.map((one) => one.address)])
          await recordings.grantAccess(sql, tenant.instanceId, chain.chainId, address, now)
        await asTenant?.(sql)
        await recordings.insertRecording(sql, tenant.instanceId, { ...row, operation }, verification.verifiedBy, now)
      })
      return proof
    },

    recorded: (tenant: TenantDatabase, operation: string) =>
      tenant.read((sql) => recordings.listRecorded(sql, tenant.instanceId, operation)),
  }
}

export type IntentsService = ReturnType<typeof createIntentsService>
