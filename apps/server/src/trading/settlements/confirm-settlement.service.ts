import { type Hex, isAddressEqual } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { type MinedTransaction, readTransaction } from '../../platform/chain/transaction.ts'
import { unprovenBy } from '../../platform/chain/wrapper-events.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { TradingParts } from '../parts.ts'
import { refusalOf } from '../signed/index.ts'
import { inUnit } from '../unit/index.ts'
import { readHeads } from './custody.reads.ts'
import { proofsIn, type TradeProof } from './receipt.call.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { isSettleCall } from './settle.call.ts'
import { requireOwnSettlement } from './settlements.service.ts'
import * as store from './settlements.store.ts'
import type { Market } from './staged-trade.rules.ts'
import { loadTrades, marketOf, type StandingTrade } from './staged-trades.ts'

type Parts = TradingParts & { readonly confirmations: number }

/** Why a transaction that succeeded says nothing about these trades. */
function unproven(market: Market, transaction: MinedTransaction, isDirect: boolean): AppError {
  if (isDirect) return new AppError('TX_NOT_VERIFIED')
  const { code, detail } = unprovenBy(transaction.logs, market.custody)
  return new AppError(code, detail === undefined ? {} : { detail })
}

/** What the transaction did with each trade that it names. A direct call must be one that settles. */
function verify(market: Market, trades: readonly StandingTrade[], transaction: MinedTransaction) {
  if (!transaction.succeeded) throw new AppError('TX_REVERTED')
  const isDirect = transaction.to !== null && isAddressEqual(transaction.to, market.custody)
  if (isDirect && !isSettleCall(market.class, transaction.input)) throw new AppError('TX_WRONG_FUNCTION')
  const proofs = proofsIn(market, trades, transaction.logs)
  if (proofs.size === 0) throw unproven(market, transaction, isDirect)
  for (const [tradeId, proof] of proofs)
    if (proof.is === 'SETTLED_DIFFERENTLY')
      throw new AppError('TX_NOT_VERIFIED', {
        detail: `The transaction settled something else under the name of trade ${tradeId}: ${proof.differs} differs.`,
      })
  return { proofs, isDirect }
}

function shownOutcome({ tradeId, status, error }: StandingTrade, proof: TradeProof | undefined) {
  const settlementStatus = status
  if (!proof) return { tradeId, outcome: 'NOT_TRIED' as const, reason: error, settlementStatus }
  if (proof.is !== 'REFUSED') return { tradeId, outcome: 'SETTLED' as const, reason: null, settlementStatus }
  return { tradeId, outcome: 'REFUSED' as const, reason: refusalOf(proof.data).reason, settlementStatus }
}

export function createConfirmSettlement({ database, clock, chains, units, confirmations }: Parts) {
  return {
    async confirm(tenant: TenantDatabase, caller: Caller, mountedAt: string, settlementId: string, txHash: Hex) {
      const row = await requireOwnSettlement(tenant, mountedAt, settlementId)
      const { unitId } = row
      const market = marketOf(row)
      const chain = chains.get(market.chainId)
      const transaction = await readTransaction(chain, txHash)
      if (!transaction) throw new AppError('TX_NOT_FOUND')
      const trades = await inUnit(database, unitId, (sql) => loadTrades(sql, [settlementId], 'all'), tenant)
      const { proofs, isDirect } = verify(market, trades, transaction)
      const settledHere = trades.filter(({ tradeId }) => proofs.get(tradeId)?.is === 'SETTLED')
      const waiting = settledHere.filter(({ status }) => status === 'PROCESSING')
      const { block, gasUsed } = transaction

      if (waiting.length > 0) {
        const { final } = await readHeads(chain, confirmations)
        if (final && block.number <= final.number)
          await units.submit(tenant, unitId, {
            grant: caller.grant,
            looks: { instanceId: tenant.instanceId, holders: [], clientOrderIds: [] },
            perform: (turn) =>
              recordOutcomes(
                turn,
                waiting.map(({ number }) => ({ settlementId, number, by: transaction })),
                [],
              ),
          })
        else
          await inUnit(
            database,
            unitId,
            (sql) =>
              store.markProcessing(sql, settlementId, { txHash, blockNumber: block.number, gasUsed }, clock.now()),
            tenant,
          )
      } else if (settledHere.length === 0) {
        const [first] = trades.map((trade) => shownOutcome(trade, proofs.get(trade.tradeId)).reason)
        await inUnit(database, unitId, (sql) => store.noteError(sql, settlementId, first ?? null, clock.now()), tenant)
      }

      const now = await requireOwnSettlement(tenant, mountedAt, settlementId)
      const after = await statuses(tenant, settlementId)
      const data = {
        settlementId,
        status: now.status,
        txHash,
        blockNumber: Number(block.number),
        gasUsed: gasUsed.toString(),
        tradeCount: trades.length,
        trades: trades.map((trade) =>
          shownOutcome({ ...trade, ...after.get(trade.tradeId) }, proofs.get(trade.tradeId)),
        ),
        ...(settledHere.length > 0 && waiting.length === 0 ? { alreadyConfirmed: true as const } : {}),
        ...(isDirect ? {} : { verifiedBy: 'receipt-log' as const }),
      }
      return { data, block }
    },
  }

  /** As the caller's transaction sees them: it may be open still. */
  async function statuses(tenant: TenantDatabase, settlementId: string) {
    const rows = await tenant.read((sql) => store.listTrades(sql, [settlementId], false))
    return new Map(rows.map(({ tradeId, status, error }) => [tradeId, { status, error }]))
  }
}

export type ConfirmSettlement = ReturnType<typeof createConfirmSettlement>
