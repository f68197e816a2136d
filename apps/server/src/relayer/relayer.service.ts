import type { QueryOf, relayerOperations } from '@tallystick/wire'

import { formatUnits } from '../platform/amounts.rules.ts'
import { AppError, fieldError } from '../platform/app-error.ts'
import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import { type Administered, actBetween } from '../platform/db/audit.ts'
import type { Database, Sql, TenantDatabase } from '../platform/db/database.ts'
import { isUuid } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import { readBalances } from './account.reads.ts'
import { type HistoryRow, listHistory } from './attempts.store.ts'
import { createBroadcast } from './broadcast.service.ts'
import { dayOf } from './day.rules.ts'
import { createNonces } from './nonces.service.ts'
import { type AdmitToRelay, createRelay } from './relay.service.ts'
import * as store from './relayers.store.ts'
import { createSigners, type RelayerKeys } from './signers.ts'

export interface RelayerParts {
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly database: Database
  readonly chains: Chains
  readonly keys: RelayerKeys
  /** Default: nobody has to approve anything. */
  readonly admit?: AdmitToRelay
}

const COIN_DECIMALS = 18
const MOST_PER_PAGE = 200
const USUAL_PER_PAGE = 50

type HistoryQuery = QueryOf<typeof relayerOperations.listRelayedTransactions>

function shownTransaction(row: HistoryRow) {
  return {
    relayId: row.relayId,
    transactionHash: row.txHash,
    status: row.status,
    kind: row.kind === 'FILL' ? ('fill' as const) : ('call' as const),
    purpose: row.purpose,
    from: row.sender,
    to: row.target,
    nonce: Number(row.nonce),
    gasLimit: row.gasLimit.toString(),
    maxFeePerGas: row.maxFeePerGas.toString(),
    replacedBy: row.replacedBy,
    reason: row.reason,
    blockNumber: row.blockNumber?.toString() ?? null,
    gasUsed: row.gasUsed?.toString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function limitOf(text: string | undefined): number {
  const asked = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : USUAL_PER_PAGE
  return Math.min(Math.max(asked, 1), MOST_PER_PAGE)
}

/** A cursor that this list never gave out is refused: to start over silently would repeat lines. */
function placeOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!isUuid(id)) throw fieldError('VALIDATION_ERROR', [{ field: 'cursor', message: 'is none of this list' }])
  return id
}

const auditedSettings = ({ dailyTxLimit, maxGasPerTx, frozenAt }: store.RelayerRow) => ({
  dailyTxLimit,
  maxGasPerTx: maxGasPerTx?.toString() ?? null,
  frozen: frozenAt !== null,
})

export function createRelayerService(parts: RelayerParts) {
  const { clock, chains } = parts
  const signers = createSigners(parts.keys)
  const { relay, addressOf } = createRelay({
    ...parts,
    admit: parts.admit ?? (async () => async () => undefined),
    signers,
    nonces: createNonces(parts),
    broadcast: createBroadcast(parts),
  })

  async function findInUse(tenant: TenantDatabase) {
    const { start } = dayOf(clock.now())
    const [row] = await tenant.read((sql) => store.findRelayerInUse(sql, tenant.instanceId, start))
    if (!row) throw new AppError('RELAYER_NOT_CONFIGURED')
    return row
  }

  async function balanceOf({ chainId, address }: store.RelayerRow): Promise<bigint | null> {
    const chain = chains.all.find((one) => one.chainId === Number(chainId))
    const [balance = null] = chain ? await readBalances(chain, [address]) : []
    return balance
  }

  function shownStatus(row: store.RelayerRow & store.RelayerUse, balance: bigint | null) {
    const { end } = dayOf(clock.now())
    return {
      chainId: Number(row.chainId),
      address: row.address,
      keySource: row.remoteUrl === null ? ('keystore' as const) : ('remote' as const),
      balance: balance === null ? null : formatUnits(balance, COIN_DECIMALS),
      dailyTxLimit: row.dailyTxLimit,
      usedToday: row.usedToday,
      resetsAt: end.toISOString(),
      maxGasPerTx: row.maxGasPerTx?.toString() ?? null,
      frozen: row.frozenAt !== null,
      frozenAt: row.frozenAt?.toISOString() ?? null,
      pending: row.pending,
      oldestPendingAt: row.oldestPendingAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }
  }

  async function status(tenant: TenantDatabase) {
    const row = await findInUse(tenant)
    return shownStatus(row, await balanceOf(row))
  }

  /** The chain is asked for the balance first: once something is written, a transaction may be open until the request ends. */
  async function change(
    tenant: TenantDatabase,
    work: (sql: Sql) => Promise<void>,
  ): Promise<Administered<ReturnType<typeof shownStatus>>> {
    const balance = await balanceOf(await findInUse(tenant))
    const act = await tenant.transaction(async (sql) => {
      const before = await store.lockRelayer(sql, tenant.instanceId)
      await work(sql)
      const [after] = await store.findRelayer(sql, tenant.instanceId)
      if (!before || !after) throw new AppError('RELAYER_NOT_CONFIGURED')
      return actBetween(after.address, auditedSettings(before), auditedSettings(after))
    })
    return { data: shownStatus(await findInUse(tenant), balance), act }
  }

  return {
    /**
     * Signs and broadcasts a call for the instance. Stored before it is broadcast: once this answers, the transaction is sent by this
     * process or, later, by the worker, and an error means that nothing ever will be.
     */
    relay,
    addressOf,
    status,
    freeze: (tenant: TenantDatabase, frozen: boolean) =>
      change(tenant, (sql) => store.updateFrozen(sql, tenant.instanceId, frozen, clock.now())),
    setLimits: (tenant: TenantDatabase, limits: store.LimitRequest) =>
      change(tenant, (sql) => store.updateLimits(sql, tenant.instanceId, limits, clock.now())),

    async history(tenant: TenantDatabase, { status: wanted, relayId, limit: asked, cursor }: HistoryQuery) {
      const limit = limitOf(asked)
      const before = placeOf(cursor)
      // An id of another form is no relay's.
      const page = { status: wanted ?? null, relayId: relayId ?? null, before, limit: limit + 1 }
      const rows =
        relayId !== undefined && !isUuid(relayId)
          ? []
          : await tenant.read((sql) => listHistory(sql, tenant.instanceId, page))
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = rows.length > limit
      return {
        transactions: shown.map(shownTransaction),
        hasMore,
        limit,
        nextCursor: hasMore && last ? Buffer.from(last.attemptId).toString('base64url') : null,
      }
    },
  }
}

export type RelayerService = ReturnType<typeof createRelayerService>
