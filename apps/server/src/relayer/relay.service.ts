import type { Address } from 'viem'
import { AppError } from '../platform/app-error.ts'
import type { Chain } from '../platform/chain/chain.ts'
import type { Chains } from '../platform/chain/chains.ts'
import { ChainUnavailableError } from '../platform/chain/rpc.ts'
import type { UnsignedCall } from '../platform/chain/simulate.ts'
import type { Clock } from '../platform/clock.ts'
import type { Sql, TenantDatabase } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import { type Quote, readQuote } from './account.reads.ts'
import { storeFirst } from './attempts.store.ts'
import type { Broadcast } from './broadcast.service.ts'
import { type Fees, gasCost, gasLimitFor, suggestedFees } from './fees.rules.ts'
import type { Nonces, Reservation } from './nonces.service.ts'
import type { CallToRelay, RelayedTransaction } from './relay.ts'
import { findRelayer, type RelayerRow } from './relayers.store.ts'
import type { SignedTransaction } from './signed-transaction.rules.ts'
import { isSigningFault, type Signer, type Signers } from './signers.ts'

/** Refuses a call that somebody has to approve first; answers what is done in the commit that stores it. */
export type AdmitToRelay = (
  tenant: TenantDatabase,
  call: { readonly to: string; readonly data: string; readonly value: string; readonly chainId: number },
) => Promise<(sql: Sql, txHash: string) => Promise<void>>

export interface RelayParts {
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly chains: Chains
  readonly signers: Signers
  readonly nonces: Nonces
  readonly broadcast: Broadcast
  readonly admit: AdmitToRelay
}

/** A reservation is lost only to somebody who waited a minute for it; twice in a row is no accident. */
const MOST_TRIES = 3
const PRICE_RETRY_SECONDS = 60

export function createRelay(parts: RelayParts) {
  const { clock, random, log, chains, signers, nonces, broadcast, admit } = parts

  /** Nothing was stored, so that trying again is safe. */
  const unavailable = (detail: string, cause?: unknown) => new AppError('RELAYER_UNAVAILABLE', { detail, cause })

  async function openSigner(relayer: RelayerRow): Promise<Signer> {
    try {
      return await signers.open(relayer)
    } catch (error) {
      if (!isSigningFault(error)) throw error
      log.error({ instanceId: relayer.instanceId, err: error }, 'the key of a relayer cannot be used')
      throw unavailable('The key of the relayer cannot be used right now.', error)
    }
  }

  async function quoteFor(chain: Chain, from: Address, call: UnsignedCall): Promise<Quote> {
    let answer: Awaited<ReturnType<typeof readQuote>>
    try {
      answer = await readQuote(chain, from, call)
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error
      throw unavailable('No chain node could be asked what the transaction takes.', error)
    }
    if (!('revert' in answer)) return answer
    const message = 'The call would fail if the relayer submitted it now.'
    const revert = { error: 'Unknown', code: null, message }
    const simulation = { simulated: true, success: false, gasUsed: null, revert }
    throw new AppError('TX_WOULD_REVERT', { detail: message, extra: { simulation } })
  }

  function requireAffordable(relayer: RelayerRow, { balance }: Quote, value: bigint, cost: bigint): void {
    if (relayer.maxGasPerTx !== null && cost > relayer.maxGasPerTx)
      throw new AppError('RELAYER_LIMIT_EXCEEDED', {
        detail: `The gas may cost ${cost} wei, more than the ${relayer.maxGasPerTx} that a transaction may.`,
        extra: { limit: 'maxGasPerTx', retryAfterSeconds: PRICE_RETRY_SECONDS },
      })
    if (balance < cost + value) throw unavailable('The account of the relayer cannot pay for the transaction.')
  }

  async function sign(signer: Signer, held: Reservation, chainId: number, call: UnsignedCall, gas: bigint, fees: Fees) {
    try {
      return await signer.sign({ chainId, nonce: Number(held.nonce), ...call, gas, fees })
    } catch (error) {
      await nonces.release(held)
      if (!isSigningFault(error)) throw error
      log.error({ instanceId: held.instanceId, err: error }, 'a relayer did not sign')
      throw unavailable('The signer of the relayer did not sign the transaction.', error)
    }
  }

  /** False: the nonce went to somebody else, and what was signed is thrown away. */
  async function storeSigned(
    tenant: TenantDatabase,
    held: Reservation,
    signed: SignedTransaction,
    gas: bigint,
    fees: Fees,
    noteSent: Awaited<ReturnType<AdmitToRelay>>,
  ) {
    const attempt = {
      instanceId: tenant.instanceId,
      attemptId: newId(clock, random),
      relayId: held.relayId,
      ordinal: 1,
      txHash: signed.hash,
      raw: signed.raw,
      kind: 'CALL' as const,
      gasLimit: gas,
      ...fees,
      now: clock.now(),
    }
    try {
      return await tenant.transaction(async (sql) => {
        if (!(await storeFirst(sql, held.claim, attempt))) return null
        await noteSent(sql, signed.hash)
        return attempt
      })
    } catch (error) {
      // Does nothing if it was stored after all.
      await nonces.release(held).catch(() => {})
      throw error
    }
  }

  async function requireRelayer(tenant: TenantDatabase, chainId: number): Promise<RelayerRow> {
    const [relayer] = await tenant.read((sql) => findRelayer(sql, tenant.instanceId))
    if (!relayer || relayer.chainId !== BigInt(chainId)) throw new AppError('RELAYER_NOT_CONFIGURED')
    if (relayer.frozenAt) throw new AppError('RELAYER_FROZEN')
    return relayer
  }

  async function relay(
    tenant: TenantDatabase,
    chainId: number,
    purpose: string,
    call: CallToRelay,
  ): Promise<RelayedTransaction> {
    const { instanceId } = tenant
    const noteSent = await admit(tenant, { to: call.to, data: call.data, value: call.value.toString(), chainId })
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const relayer = await requireRelayer(tenant, chainId)
      const chain = chains.get(chainId)
      const { address } = relayer
      const signer = await openSigner(relayer)
      const quote = await quoteFor(chain, address, call)
      const fees = suggestedFees(quote.prices)
      const gas = call.gas ?? gasLimitFor(quote.gas)
      requireAffordable(relayer, quote, call.value, gasCost(gas, fees))
      const held = await nonces.reserve({ instanceId, address, purpose, call, chainNonce: quote.nextNonce })
      if (!held) continue
      const signed = await sign(signer, held, chainId, call, gas, fees)
      const stored = await storeSigned(tenant, held, signed, gas, fees, noteSent)
      // Where the transaction stays open, the chain cannot be asked again.
      if (!stored && tenant.joined) throw unavailable('The nonce of the transaction went to another one.')
      if (!stored) continue
      await tenant.onceCommitted(async () => {
        try {
          await broadcast(chain, stored)
        } catch (error) {
          // It is stored, and the worker sends it: a failure told now would only make somebody send it twice.
          log.error({ instanceId, txHash: signed.hash, err: error }, 'broadcasting failed; the worker does it')
        }
      })
      return { relayId: held.relayId, txHash: signed.hash, from: address }
    }
    throw unavailable('The relayer was set up anew meanwhile.')
  }
  return {
    relay,
    addressOf: async (tenant: TenantDatabase, chainId: number): Promise<Address> =>
      (await requireRelayer(tenant, chainId)).address,
  }
}
