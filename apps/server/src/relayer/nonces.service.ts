import type { Address, Hex } from 'viem'
import { AppError } from '../platform/app-error.ts'
import type { UnsignedCall } from '../platform/chain/simulate.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Sql } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import { dayOf, secondsUntil } from './day.rules.ts'
import * as store from './nonces.store.ts'
import { countUsed, lockRelayer, type RelayerRow, setNextNonce } from './relayers.store.ts'

/** Longer than any signer takes. A reservation that is older is nobody's. */
const CLAIM_MS = 60_000

/** A nonce that only its holder signs for. */
export interface Reservation {
  readonly instanceId: string
  readonly relayId: string
  readonly nonce: bigint
  readonly claim: string
}

export interface NonceRequest {
  readonly instanceId: string
  readonly address: Address
  readonly purpose: string
  readonly call: UnsignedCall
  /** The next nonce as the node sees it. */
  readonly chainNonce: bigint
}

const accountOf = ({ chainId, address }: RelayerRow): store.Account => ({ chainId, address })

/**
 * Hands out the nonces of relayers. Each reservation is a short transaction of its own under the lock of the relayer's row, so that a
 * slow signer holds nobody up; what was reserved and never signed is given to the next, taken back, or filled.
 */
export function createNonces({ database, clock, random }: { database: Database; clock: Clock; random: Random }) {
  const silentSince = () => new Date(clock.now().getTime() - CLAIM_MS)

  /** A nonce that others left behind comes first, or nothing after it would be mined. */
  async function nextNonce(sql: Sql, relayer: RelayerRow, chainNonce: bigint): Promise<bigint> {
    const account = accountOf(relayer)
    await store.dropPassed(sql, account, chainNonce, silentSince())
    const left = await store.takeUnsigned(sql, account, { claimedBefore: silentSince(), from: chainNonce })
    if (left !== null) return left
    const own = relayer.nextNonce ?? ((await store.highestOpenNonce(sql, account)) ?? -1n) + 1n
    const nonce = own > chainNonce ? own : chainNonce
    await setNextNonce(sql, relayer.instanceId, nonce + 1n)
    return nonce
  }

  /** As long as the last nonces handed out are nobody's, they were never handed out. */
  async function takeBack(sql: Sql, relayer: RelayerRow): Promise<void> {
    let next = relayer.nextNonce
    if (next === null) return
    while (next > 0n && (await store.dropFree(sql, accountOf(relayer), next - 1n))) next -= 1n
    if (next !== relayer.nextNonce) await setNextNonce(sql, relayer.instanceId, next)
  }

  async function requireRoom(sql: Sql, relayer: RelayerRow): Promise<void> {
    if (relayer.frozenAt) throw new AppError('RELAYER_FROZEN')
    const now = clock.now()
    const { start, end } = dayOf(now)
    if ((await countUsed(sql, relayer.instanceId, start)) < relayer.dailyTxLimit) return
    throw new AppError('RELAYER_LIMIT_EXCEEDED', {
      detail: `The relayer has submitted its ${relayer.dailyTxLimit} transactions of today.`,
      extra: { limit: 'dailyTxLimit', retryAfterSeconds: secondsUntil(end, now) },
    })
  }

  async function insert(
    sql: Sql,
    relayer: RelayerRow,
    kind: 'CALL' | 'FILL',
    nonce: bigint,
    request: Omit<NonceRequest, 'chainNonce'>,
  ) {
    const reservation = {
      instanceId: relayer.instanceId,
      relayId: newId(clock, random),
      nonce,
      claim: newId(clock, random),
    }
    const { to, data, value } = request.call
    await store.insertRelay(sql, {
      ...reservation,
      ...accountOf(relayer),
      kind,
      purpose: request.purpose,
      target: to,
      calldata: data,
      value,
      now: clock.now(),
    })
    return reservation
  }

  return {
    /** Refuses with the codes of the relayer; null: it has another key by now. */
    reserve: (request: NonceRequest): Promise<Reservation | null> =>
      database.aside('tally_relayer', async (sql) => {
        const relayer = await lockRelayer(sql, request.instanceId)
        if (!relayer) throw new AppError('RELAYER_NOT_CONFIGURED')
        if (relayer.address !== request.address) return null
        await requireRoom(sql, relayer)
        return insert(sql, relayer, 'CALL', await nextNonce(sql, relayer, request.chainNonce), request)
      }),

    /** It was not signed for. Whoever reserves next may have it. */
    release: ({ instanceId, relayId, claim }: Reservation): Promise<void> =>
      database.aside('tally_relayer', async (sql) => {
        const relayer = await lockRelayer(sql, instanceId)
        await store.freeNonce(sql, instanceId, relayId, claim)
        if (relayer) await takeBack(sql, relayer)
      }),

    /**
     * Takes back what was left behind, and reserves the lowest nonce that keeps signed ones waiting, to use it for nothing. Null:
     * there is none.
     */
    reserveGap: (instanceId: string, chainNonce: bigint): Promise<Reservation | null> =>
      database.as('tally_relayer', async (sql) => {
        const relayer = await lockRelayer(sql, instanceId)
        if (!relayer) return null
        const account = accountOf(relayer)
        await store.freeSilent(sql, account, silentSince())
        await store.dropPassed(sql, account, chainNonce, silentSince())
        await takeBack(sql, relayer)
        const nonce = await store.findGap(sql, account)
        if (nonce === null || !(await store.dropFree(sql, account, nonce))) return null
        const call = { to: relayer.address, data: '0x' as Hex, value: 0n }
        return insert(sql, relayer, 'FILL', nonce, { instanceId, address: relayer.address, purpose: 'fill', call })
      }),
  }
}

export type Nonces = ReturnType<typeof createNonces>
