import type { Chain } from '../platform/chain/chain.ts'
import type { UnsignedCall } from '../platform/chain/simulate.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import { type AccountReading, readQuote } from './account.reads.ts'
import { type NewAttempt, storeFirst, storeReplacement } from './attempts.store.ts'
import { meaningOf } from './broadcast.rules.ts'
import type { Broadcast } from './broadcast.service.ts'
import { type Fees, gasCost, gasLimitFor, replacementFees, suggestedFees } from './fees.rules.ts'
import { createNonces } from './nonces.service.ts'
import { newestOf } from './outcome.rules.ts'
import type { RelayerRow } from './relayers.store.ts'
import { createSigners, isSigningFault, type RelayerKeys } from './signers.ts'
import type { AttemptRow, OpenRelay } from './upkeep.store.ts'

interface SigningParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly keys: RelayerKeys
  readonly broadcast: Broadcast
}

/** What a nonce is used for when nothing is to happen. */
const nothing = ({ address }: RelayerRow): UnsignedCall => ({ to: address, data: '0x', value: 0n })

/** No node ever took it, nor is it a matter of price or money. */
const isHopeless = ({ takenAt, refusedAs }: AttemptRow): boolean =>
  takenAt === null && refusedAs !== null && meaningOf(refusedAs) === 'REFUSED'

/** What the worker itself has relayers sign: replacements, and transactions that fill a gap. Stored before they are broadcast. */
export function createUpkeepSigning(parts: SigningParts) {
  const { database, clock, random, log, broadcast } = parts
  const signers = createSigners(parts.keys)
  const nonces = createNonces(parts)

  async function gasForNothing(chain: Chain, relayer: RelayerRow): Promise<bigint | null> {
    const quote = await readQuote(chain, relayer.address, nothing(relayer))
    return 'revert' in quote ? null : gasLimitFor(quote.gas)
  }

  /** Null: the key cannot be used just now. */
  async function signed(
    relayer: RelayerRow,
    place: { readonly chainId: number; readonly relayId: string; readonly nonce: bigint; readonly ordinal: number },
    { kind, call, gas, fees }: { readonly kind: 'CALL' | 'FILL'; call: UnsignedCall; gas: bigint; fees: Fees },
  ): Promise<NewAttempt | null> {
    const { chainId, relayId, nonce, ordinal } = place
    try {
      const signer = await signers.open(relayer)
      const { raw, hash } = await signer.sign({ chainId, nonce: Number(nonce), ...call, gas, fees })
      const ids = { instanceId: relayer.instanceId, attemptId: newId(clock, random), relayId, ordinal }
      return { ...ids, txHash: hash, raw, kind, gasLimit: gas, ...fees, now: clock.now() }
    } catch (error) {
      if (!isSigningFault(error)) throw error
      log.error({ instanceId: relayer.instanceId, err: error }, 'a relayer did not sign; trying again')
      return null
    }
  }

  return {
    /** The same call for more; or, when no node wants it at any price, nothing at all. */
    async replace(chain: Chain, relayer: RelayerRow, relay: OpenRelay, { prices }: AccountReading): Promise<void> {
      const newest = newestOf(relay)
      if (newest.refusedAs !== null && meaningOf(newest.refusedAs) === 'UNFUNDED') return
      const kind = isHopeless(newest) ? 'FILL' : newest.kind
      const gas = kind === newest.kind ? newest.gasLimit : await gasForNothing(chain, relayer)
      if (gas === null) return
      const fees = replacementFees(newest, suggestedFees(prices), { gasLimit: gas, ceiling: relayer.maxGasPerTx })
      const about = { chainId: chain.chainId, instanceId: relay.instanceId, txHash: newest.txHash }
      if (!fees) {
        log.warn(about, 'a relayed transaction is stuck and may not cost more')
        return
      }
      const { target, calldata, value } = relay
      const call = kind === 'FILL' ? nothing(relayer) : { to: target, data: calldata, value }
      const place = { chainId: chain.chainId, relayId: relay.relayId, nonce: relay.nonce, ordinal: newest.ordinal + 1 }
      const attempt = await signed(relayer, place, { kind, call, gas, fees })
      if (!attempt || !(await database.as('tally_relayer', (sql) => storeReplacement(sql, attempt)))) return
      log.info({ ...about, by: attempt.txHash, kind }, 'a stuck transaction is replaced')
      await broadcast(chain, attempt)
    },

    /** Uses up nonces that nobody signed for and that keep others waiting. */
    async fillGaps(chain: Chain, relayer: RelayerRow, { prices, used }: AccountReading): Promise<void> {
      const fees = suggestedFees(prices)
      for (;;) {
        const held = await nonces.reserveGap(relayer.instanceId, used)
        if (!held) return
        const gas = await gasForNothing(chain, relayer)
        const isAffordable = gas !== null && gasCost(gas, fees) <= (relayer.maxGasPerTx ?? gasCost(gas, fees))
        const place = { chainId: chain.chainId, relayId: held.relayId, nonce: held.nonce, ordinal: 1 }
        const attempt = isAffordable
          ? await signed(relayer, place, { kind: 'FILL', call: nothing(relayer), gas, fees })
          : null
        if (!attempt) {
          await nonces.release(held)
          return
        }
        if (await database.as('tally_relayer', (sql) => storeFirst(sql, held.claim, attempt)))
          await broadcast(chain, attempt)
      }
    },
  }
}
