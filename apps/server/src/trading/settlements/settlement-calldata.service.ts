import type { Address } from 'viem'
import { listWallets } from '../../access/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { presentCall } from '../../platform/chain/unsigned-call.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { TradingParts } from '../parts.ts'
import { bytes32OfUuid, isVaultClass } from '../signed/index.rules.ts'
import { explainSettlement, refusalOf } from '../signed/index.ts'
import { inUnit } from '../unit/index.ts'
import { readOperators, tryEach } from './custody.reads.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { neverMessages } from './mortality.rules.ts'
import { settleMany, settleOne } from './settle.call.ts'
import { requireOwnSettlement } from './settlements.service.ts'
import * as store from './settlements.store.ts'
import { fillOf, type Market } from './staged-trade.rules.ts'
import { loadTrades, marketOf, type StandingTrade } from './staged-trades.ts'
import type { SettlementWatch } from './watch-settlements.service.ts'

type Parts = TradingParts & { readonly watch: SettlementWatch }

interface Skipped {
  readonly tradeId: string
  readonly reason: string
  readonly message: string
  readonly isDelivery: boolean
  readonly isUnwound: boolean
}

const ALREADY = 'TRADE_ALREADY_SETTLED'

const isForGood = ({ reason }: Skipped): boolean => Object.hasOwn(neverMessages, reason)

const shown = ({ tradeId, reason, message, isUnwound }: Skipped) => ({ tradeId, reason, message, isUnwound })

/** Why nothing is left to build, in the words of the first that stands in the way. */
function refusal(all: readonly Skipped[]): AppError {
  const first = all.find((one) => !isForGood(one)) ?? all[0]
  const detail = first ? { detail: first.message } : {}
  const skipped = all.map(shown)
  const reason = first?.reason ?? ''
  if (all.every(isForGood)) return new AppError('SETTLEMENT_REJECTED', { ...detail, extra: { reason, skipped } })
  if (all.every((one) => one.isDelivery || isForGood(one)))
    return new AppError('DELIVERY_NOT_ALLOWED', { ...detail, extra: { reason, skipped } })
  return new AppError('SETTLEMENT_NOT_BUILDABLE', { ...detail, extra: { skipped } })
}

export function createSettlementCalldata({ database, clock, chains, watch }: Parts) {
  /** Who has to sign: the operator that the book names, or a wallet of the instance that operates the vault. */
  async function requireOperator(
    tenant: TenantDatabase,
    chain: Chain,
    market: Market,
    row: store.SettlementOfBook,
  ): Promise<{ operator: Address; block: Block }> {
    const named = row.settlementOperator
    const candidates = isVaultClass(market.class)
      ? (await tenant.read((sql) => listWallets(sql, tenant.instanceId))).map(({ address }) => address)
      : named
        ? [named]
        : []
    const { operators, block } = await readOperators(chain, market, candidates)
    const [operator] = operators
    if (!operator)
      throw new AppError('SETTLEMENT_OPERATOR_UNAUTHORIZED', { extra: named ? { settlementOperator: named } : {} })
    return { operator, block }
  }

  /** Tries each trade for itself; what the chain has buried for good is ended in the book as well. */
  async function sift(
    chain: Chain,
    operator: Address,
    market: Market,
    row: store.SettlementOfBook,
    trades: readonly StandingTrade[],
  ): Promise<{ ready: StandingTrade[]; skipped: Skipped[] }> {
    const calls = trades.map((trade) => settleOne(market, fillOf(trade, market)).call)
    const refused = await tryEach(chain, operator, calls)
    const skipped = trades.flatMap((trade, index): Skipped[] => {
      const data = refused[index]
      if (data === null || data === undefined) return []
      return [{ tradeId: trade.tradeId, ...refusalOf(data), isUnwound: false }]
    })
    const ready = trades.filter((_, index) => refused[index] === null)
    if (!skipped.some(isForGood)) return { ready, skipped }
    await watch.look(chain, [row], trades)
    const after = await inUnit(database, row.unitId, (sql) => store.listTrades(sql, [row.settlementId], false))
    const failed = new Set(after.filter(({ status }) => status === 'FAILED').map(({ tradeId }) => tradeId))
    return {
      ready: ready.filter(({ tradeId }) => !failed.has(tradeId)),
      skipped: skipped.map((one) => ({ ...one, isUnwound: failed.has(one.tradeId) })),
    }
  }

  return {
    async build(tenant: TenantDatabase, mountedAt: string, settlementId: string) {
      const row = await requireOwnSettlement(tenant, mountedAt, settlementId)
      const done = { settlementId, status: row.status, txHash: row.txHash, alreadySettled: true as const }
      if (row.status === 'CONFIRMED') return { data: done }
      const market = marketOf(row)
      const chain = chains.get(market.chainId)
      const trades = await inUnit(database, row.unitId, (sql) => loadTrades(sql, [settlementId], 'waiting'))
      if (trades.length === 0)
        throw new AppError('SETTLEMENT_NOT_BUILDABLE', { detail: 'This settlement has ended: no trade of it waits.' })
      const { operator, block } = await requireOperator(tenant, chain, market, row)
      const { ready, skipped } = await sift(chain, operator, market, row, trades)
      if (ready.length === 0 && skipped.every(({ reason }) => reason === ALREADY)) return { data: done, block }
      const hindered = skipped.find((one) => one.reason !== ALREADY && !one.isUnwound)
      await inUnit(database, row.unitId, (sql) =>
        store.noteError(sql, settlementId, hindered?.reason ?? null, clock.now()),
      )
      if (ready.length === 0) throw refusal(skipped)

      const fills = ready.map((trade) => fillOf(trade, market))
      const [only] = fills
      const batchRef = bytes32OfUuid(settlementId)
      const isOne = fills.length === 1 && only !== undefined
      const call = isOne ? settleOne(market, only) : settleMany(market, batchRef, fills)
      const built = await presentCall(chain, call, operator, { clock, explain: explainSettlement })
      const data = {
        settlementId,
        status: row.status,
        tradeCount: fills.length,
        skipped: skipped.map(shown),
        ...built,
        description: isOne
          ? 'Settles one trade: both legs, or neither.'
          : `Settles ${fills.length} trades, each for itself: both legs, or neither.`,
        expectedSigner: operator,
        tradeRef: isOne ? only.tradeRef : null,
        batchRef: isOne ? null : batchRef,
        gasLimit: gasLimitOf(built.simulation),
        confirmWith: {
          endpoint: mountedAt.replace('{settlementId}', settlementId).replace(/calldata$/, 'confirm'),
          field: 'txHash' as const,
        },
      }
      return { data, block, calls: [built.transaction] }
    },
  }
}

export type SettlementCalldata = ReturnType<typeof createSettlementCalldata>
