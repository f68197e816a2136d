import type { Address, Hex } from 'viem'
import { type AppCode, AppError } from '../platform/app-error.ts'
import type { CallKinds, CallPair, Effect, Settled } from '../platform/chain/call-pair.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { asFact } from '../platform/chain/event-facts.ts'
import type { ExplainRevert } from '../platform/chain/reverts.ts'
import { type MinedTransaction, readTransaction } from '../platform/chain/transaction.ts'
import { presentCall } from '../platform/chain/unsigned-call.ts'
import type { Clock } from '../platform/clock.ts'
import { actAs, type Sql, type TenantDatabase } from '../platform/db/database.ts'
import type { Random } from '../platform/random.ts'
import { loweredHex } from '../platform/values/hex.rules.ts'
import { effectsOf } from './effects.ts'
import { createEventStore } from './events.service.ts'
import { listWatchedAmong, scanAgainFrom, watchContract } from './events.store.ts'
import type { Projection } from './projection.ts'
import * as recordings from './recordings.store.ts'
import { type AcceptedCall, type ConfirmCandidate, verifyAny, verifyEffect } from './verification.ts'

/** Where a write goes and what it should do there. */
export interface Intent<A, E extends object, X> {
  readonly chain: Chain
  readonly pair: CallPair<A, E, X>
  readonly target: Address
  /** The set of calls that the follower reads at this contract. */
  readonly kind: string
}

export interface ConfirmedEffect<E extends object> {
  readonly effect: E
  readonly logIndex: number
  readonly transaction: MinedTransaction
  /** Undefined for a direct call; the interface then adds no field. */
  readonly verifiedBy: 'receipt-log' | undefined
}

/** Which of several candidates it was, and what it did. */
export interface ConfirmedCandidate<E extends object = Effect> extends ConfirmedEffect<E> {
  readonly functionName: string
  /** The contract that did it. */
  readonly target: Address
}

/** What one of several accepted calls did. */
export interface ConfirmedCall {
  readonly functionName: string
  /** Empty when the call changed nothing. */
  readonly effects: readonly { readonly operation: string; readonly effect: Effect }[]
  readonly transaction: MinedTransaction
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

export interface WritesParts {
  readonly clock: Clock
  readonly random: Random
  /** What the events of each kind of contract mean. */
  readonly kinds: CallKinds
  readonly projections: readonly Projection[]
}

type Place = Pick<Intent<never, Effect, never>, 'chain' | 'target' | 'kind'>
type Proven = { readonly operation: string; readonly settled: Settled<object> }

export function createWritesService({ clock, random, kinds, projections }: WritesParts) {
  const events = createEventStore({ clock, random })

  async function requireMined(chain: Chain, txHash: Hex): Promise<MinedTransaction> {
    const transaction = await readTransaction(chain, loweredHex(txHash))
    if (!transaction) throw new AppError('TX_NOT_FOUND')
    return transaction
  }

  /**
   * Everything that contracts of ours said in the transaction once for everybody, what was proven once for the instance, all in one
   * transaction: what is read after a confirmation is what the transaction made of it.
   */
  async function record(
    tenant: TenantDatabase,
    { chain, target, kind }: Place,
    transaction: MinedTransaction,
    proven: readonly Proven[],
    verifiedBy: 'call' | 'receipt-log',
    { concerns = [], asChain, asTenant }: Alongside,
  ): Promise<void> {
    const subject = target.toLowerCase()
    const { chainId } = chain
    const { block, logs } = transaction
    if (proven.some(({ settled }) => !logs.some(({ logIndex }) => logIndex === settled.logIndex)))
      throw new Error('a settled effect points at a log that the receipt does not have')
    // Apart: the same transaction recorded twice is one record, and most confirmations read the chain once more afterwards.
    await tenant.apart(async (sql) => {
      await actAs(sql, 'tally_chain')
      const known = await listWatchedAmong(sql, chainId, [...new Set(logs.map(({ address }) => address))])
      const places = new Map(known.map((one) => [one.address, { ...one, fromBlock: block.number }]))
      for (const one of [...concerns, { address: subject, kind, fromBlock: block.number }])
        if (!places.has(one.address)) places.set(one.address, one)
      // In one order for everybody: each takes a lock.
      for (const place of [...places.values()].toSorted((a, b) => (a.address < b.address ? -1 : 1)))
        await watchContract(sql, chainId, place.address, place.kind, place.fromBlock)
      await asChain?.(sql)
      const changed = new Set<string>()
      for (const log of logs) {
        const own = proven.filter(({ settled }) => settled.logIndex === log.logIndex)
        const effects = new Map([
          ...effectsOf(kinds, places.get(log.address)?.kind, log).map((one) => [one.operation, one.effect] as const),
          ...own.map(({ operation, settled }) => [operation, asFact(settled.effect)] as const),
        ])
        if (effects.size === 0) continue
        const mined = { chainId, txHash: transaction.hash, txFrom: transaction.from }
        const place = { blockNumber: block.number, blockHash: block.hash, blockTime: block.time }
        const told = [...effects].map(([operation, effect]) => ({ operation, effect }))
        const stored = await events.store(sql, { ...log, ...mined, ...place }, told, 'confirm')
        if (stored.log === 'new') await scanAgainFrom(sql, chainId, log.address, block.number)
        if (stored.changed) changed.add(log.address)
      }
      for (const one of changed) for (const project of projections) await project(sql, chainId, one)
      await actAs(sql, 'tally_api')
      const now = clock.now()
      for (const address of [subject, ...concerns.map((one) => one.address)])
        await recordings.grantAccess(sql, tenant.instanceId, chainId, address, now)
      await asTenant?.(sql)
      for (const { operation, settled } of proven) {
        const fact = { operation, chainId, txHash: transaction.hash, logIndex: settled.logIndex }
        await recordings.insertRecording(sql, tenant.instanceId, fact, verifiedBy, now)
      }
    })
  }

  return {
    /** What the caller signs, and what would happen if it were sent now. A failing simulation refuses nothing. */
    async build<A, E extends object, X>(
      intent: Intent<A, E, X>,
      args: A,
      signer: Address | null,
      explain: ExplainRevert,
    ) {
      const { chain, pair, target } = intent
      const planned = { call: pair.prepare(target, args), functionName: pair.functionName }
      return presentCall(chain, planned, signer, { clock, explain })
    },

    /**
     * The one verifier. Proves the effect from the receipt and records it: the event once for everybody, the recording once per
     * instance. A failed proof writes nothing; the same hash twice gives the same answer and one row.
     */
    async confirm<A, E extends object, X>(
      tenant: TenantDatabase,
      intent: Intent<A, E, X>,
      expected: X,
      txHash: Hex,
      alongside: (proof: ConfirmedEffect<E>) => Promise<Alongside> | Alongside = () => ({}),
    ): Promise<ConfirmedEffect<E>> {
      const { chain, pair, target } = intent
      const transaction = await requireMined(chain, txHash)
      const verification = verifyEffect(pair, target, expected, transaction)
      if (!verification.ok)
        throw new AppError(verification.code, verification.detail ? { detail: verification.detail } : {})
      const { settled, verifiedBy } = verification
      const proof: ConfirmedEffect<E> = { ...settled, transaction, verifiedBy: shownProof(verifiedBy) }
      const proven = [{ operation: pair.operation, settled }]
      await record(tenant, intent, transaction, proven, verifiedBy, await alongside(proof))
      return proof
    },

    /**
     * The same where any of several writes will do, each for the entity it expects. `refuse` may know better than the verifier why a
     * transaction at the right contract is not the one.
     */
    async confirmOneOf<E extends object>(
      tenant: TenantDatabase,
      place: Place,
      candidates: readonly ConfirmCandidate<E>[],
      txHash: Hex,
      alongside: (proof: ConfirmedCandidate<E>) => Promise<Alongside> | Alongside,
      refuse: (transaction: MinedTransaction) => AppError | null = () => null,
    ): Promise<ConfirmedCandidate<E>> {
      const transaction = await requireMined(place.chain, txHash)
      const failures: { code: AppCode; detail?: string }[] = []
      for (const one of candidates) {
        const verification = one.verify(place.target, transaction)
        if (!verification.ok) {
          failures.push(verification)
          continue
        }
        const { settled, verifiedBy } = verification
        const { functionName, operation } = one
        const proof = {
          ...settled,
          functionName,
          target: place.target,
          transaction,
          verifiedBy: shownProof(verifiedBy),
        }
        await record(tenant, place, transaction, [{ operation, settled }], verifiedBy, await alongside(proof))
        return proof
      }
      // Called directly it made at most one of them; what that one lacks tells more than that it was not the others.
      const failure = failures.find(({ code }) => code !== 'TX_WRONG_FUNCTION') ?? failures[0]
      if (!failure) throw new Error('a confirmation without candidates')
      const refusal = failure.code === 'TX_NOT_VERIFIED' ? refuse(transaction) : null
      throw refusal ?? new AppError(failure.code, failure.detail ? { detail: failure.detail } : {})
    },

    /** The same where one route confirms several writes of a contract: it tells which was made, and records all it did. */
    async confirmAny(
      tenant: TenantDatabase,
      place: Place,
      accepted: readonly AcceptedCall[],
      txHash: Hex,
    ): Promise<ConfirmedCall> {
      const transaction = await requireMined(place.chain, txHash)
      const verification = verifyAny(accepted, place.target, transaction)
      if (!verification.ok)
        throw new AppError(verification.code, verification.detail ? { detail: verification.detail } : {})
      const { functionName, found, verifiedBy } = verification
      if (found.length > 0) await record(tenant, place, transaction, found, verifiedBy, {})
      const effects = found.map(({ operation, settled }) => ({ operation, effect: asFact(settled.effect) }))
      return { functionName, effects, transaction, verifiedBy: shownProof(verifiedBy) }
    },

    recorded: (tenant: TenantDatabase, operation: string) =>
      tenant.read((sql) => recordings.listRecorded(sql, tenant.instanceId, operation)),
  }
}

export type WritesService = ReturnType<typeof createWritesService>

/** Only what a log had to prove is said to be proven by one. */
const shownProof = (verifiedBy: 'call' | 'receipt-log') => (verifiedBy === 'call' ? undefined : verifiedBy)
