import type { Hex } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type MinedTransaction, readTransaction } from '../../platform/chain/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { inUnit, type UnitsService } from '../unit/index.ts'
import { readHeads, readSettled, readTrades } from './custody.reads.ts'
import { neverAfter } from './mortality.rules.ts'
import { proofsIn, type TradeProof } from './receipt.call.ts'
import { type FailedTrade, recordOutcomes, type SettledTrade } from './record-outcomes.ts'
import { findSettlingTransactions } from './settled-logs.reads.ts'
import * as store from './settlements.store.ts'
import type { Market } from './staged-trade.rules.ts'
import { loadTrades, marketOf, type StandingTrade } from './staged-trades.ts'

interface WatchSettlementsParts {
  readonly database: Database
  readonly clock: Clock
  readonly units: UnitsService
  /** Blocks after which nothing changes any more, on a chain that does not say so itself. */
  readonly confirmations: number
}

interface Watched {
  readonly row: store.SettlementOfBook
  readonly market: Market
  readonly trade: StandingTrade
  /** By a contract that settles a name once: whatever it settled, it settles nothing else. */
  readonly isNameUsed: boolean
}

interface Judged extends Watched {
  /** At a final block. */
  readonly isSettled: boolean
  readonly settled?: SettledTrade
  readonly failed?: FailedTrade
}

/** Looked at in one go. */
const PER_PASS = 100
/** How far the place from where an event is looked for may lag behind. */
const CHECK_EVERY_BLOCKS = 100n
/** Before every id, and of no instance. */
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Brings trades to their end by what stands in final blocks: settled on chain, whoever reported it, or dead for good. Both are for ever, so
 * any number of processes may do it at once.
 */
export function createSettlementWatch({ database, clock, units, confirmations }: WatchSettlementsParts) {
  /** What proves that these trades are settled: the transactions that were reported, or else those that their events lead to. */
  async function transactionsFor(chain: Chain, final: Block, settled: readonly Watched[]): Promise<MinedTransaction[]> {
    const hashes = new Set<Hex>()
    for (const custody of new Set(settled.map(({ market }) => market.custody))) {
      const here = settled.filter(({ market }) => market.custody === custody)
      const above = here.reduce((low, { row }) => smaller(low, row.checkedBlock ?? -1n), final.number)
      const sought = here.map((one) => ({
        tradeId: one.trade.tradeId,
        isIt: (log: Pick<ReceiptLog, 'address' | 'topics' | 'data'>) =>
          endsIt(one, proofsIn(one.market, [one.trade], [log]).get(one.trade.tradeId)),
      }))
      for (const hash of await findSettlingTransactions(chain, custody, sought, { above, upTo: final.number }))
        hashes.add(hash)
    }
    const read = await Promise.all([...hashes].map((hash) => readTransaction(chain, hash)))
    return read.flatMap((transaction) => (transaction && transaction.block.number <= final.number ? [transaction] : []))
  }

  function prove(
    { row, market, trade, isNameUsed }: Watched,
    transactions: readonly MinedTransaction[],
  ): Pick<Judged, 'settled' | 'failed'> {
    const { settlementId } = row
    const { number } = trade
    for (const by of transactions) {
      const proof = proofsIn(market, [trade], by.logs).get(trade.tradeId)
      if (proof?.is === 'SETTLED') return { settled: { settlementId, number, by } }
      if (isNameUsed && proof?.is === 'SETTLED_DIFFERENTLY')
        return { failed: { number, never: { reason: 'SETTLED_DIFFERENTLY', deadOrder: null } } }
    }
    return {}
  }

  /** A transaction that was reported may have lost its block before it was final. */
  async function reopen(chain: Chain, latest: Block, watched: readonly Watched[]): Promise<void> {
    const reported = watched.filter(
      ({ row: { status, blockNumber } }) => status === 'PROCESSING' && (blockNumber ?? 0n) <= latest.number,
    )
    if (reported.length === 0) return
    const areSettled = await readSettled(chain, latest, reported)
    const alive = new Set(reported.filter((_, index) => areSettled[index]).map(({ row }) => row.settlementId))
    const gone = new Map(reported.map(({ row }) => [row.settlementId, row]))
    for (const { settlementId, unitId, txHash } of gone.values())
      if (txHash && !alive.has(settlementId))
        await inUnit(database, unitId, (sql) => store.markPending(sql, settlementId, txHash, clock.now()))
  }

  /** How far it was looked for these, so that nobody has to look there again. */
  async function noteChecked(final: Block, rows: readonly store.SettlementOfBook[]): Promise<void> {
    const due = rows.filter(
      ({ checkedBlock }) => checkedBlock === null || final.number - checkedBlock >= CHECK_EVERY_BLOCKS,
    )
    for (const unitId of new Set(due.map((row) => row.unitId))) {
      const ids = due.filter((row) => row.unitId === unitId).map(({ settlementId }) => settlementId)
      await inUnit(database, unitId, (sql) => store.noteChecked(sql, ids, final.number))
    }
  }

  /** Settlements of one chain, and their trades that wait. */
  async function look(
    chain: Chain,
    rows: readonly store.SettlementOfBook[],
    trades: readonly StandingTrade[],
  ): Promise<void> {
    const byId = new Map(rows.map((row) => [row.settlementId, row]))
    const listed = trades.flatMap((trade) => {
      const row = byId.get(trade.settlementId)
      return row ? [{ row, market: marketOf(row), trade }] : []
    })
    if (listed.length === 0) return
    const { latest, final } = await readHeads(chain, confirmations)
    if (!final) return
    const onChain = await readTrades(chain, final, listed)
    const watched = listed.map((one, index): Watched => ({ ...one, isNameUsed: onChain[index]?.isNameUsed ?? false }))
    const settledThere = watched.filter((one, index) => one.isNameUsed || onChain[index]?.isSettled)
    const transactions = settledThere.length > 0 ? await transactionsFor(chain, final, settledThere) : []
    const judged = watched.map((one, index): Judged => {
      const seen = onChain[index]
      if (!seen || seen.isSettled || seen.isNameUsed) return { ...one, isSettled: true, ...prove(one, transactions) }
      const never = neverAfter(one.trade, one.market, seen, final.time)
      return { ...one, isSettled: false, ...(never ? { failed: { number: one.trade.number, never } } : {}) }
    })
    for (const unitId of new Set(rows.map((row) => row.unitId)))
      await end(
        unitId,
        judged.filter(({ row }) => row.unitId === unitId),
      )
    const open = judged.filter(({ settled, failed }) => !settled && !failed)
    await reopen(chain, latest, open)
    // Not of those whose event could not be read yet: it must be looked for again.
    const unread = new Set(open.filter(({ isSettled }) => isSettled).map(({ row }) => row.settlementId))
    const unsettled = new Set(open.map(({ row }) => row))
    await noteChecked(
      final,
      [...unsettled].filter(({ settlementId }) => !unread.has(settlementId)),
    )
  }

  async function end(unitId: string, judged: readonly Judged[]): Promise<void> {
    const settled = judged.flatMap((one) => (one.settled ? [one.settled] : []))
    const failed = judged.flatMap((one) => (one.failed ? [one.failed] : []))
    if (settled.length + failed.length === 0) return
    await units.submit({}, unitId, {
      grant: null,
      looks: { instanceId: FIRST, holders: [], clientOrderIds: [] },
      perform: (turn) => recordOutcomes(turn, settled, failed),
    })
  }

  return {
    look,

    /** One step through everything that waits on a chain, from one place on; undefined: that was all. */
    async pass(chain: Chain, after: string = FIRST, perPass: number = PER_PASS): Promise<string | undefined> {
      const { rows, trades } = await database.as('tally_operator', async (sql) => {
        const rows = await store.listOpen(sql, chain.chainId, after, perPass)
        const ids = rows.map(({ settlementId }) => settlementId)
        return { rows, trades: await loadTrades(sql, ids, 'waiting') }
      })
      await look(chain, rows, trades)
      return rows.length < perPass ? undefined : rows.at(-1)?.settlementId
    },

    /** What waits on a chain, whatever it waits for. */
    async waiting({ chainId }: Chain): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
      const [open] = await database.as('tally_operator', (sql) => store.countOpen(sql, chainId))
      const ageMs = open?.oldest ? clock.now().getTime() - open.oldest.getTime() : 0
      return { count: open?.count ?? 0, oldestSeconds: Math.max(0, ageMs / 1000) }
    },
  }
}

export type SettlementWatch = ReturnType<typeof createSettlementWatch>

/** Whether a log is the last word on a trade. */
const endsIt = ({ isNameUsed }: Watched, proof: TradeProof | undefined): boolean =>
  proof?.is === 'SETTLED' || (isNameUsed && proof?.is === 'SETTLED_DIFFERENTLY')

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
