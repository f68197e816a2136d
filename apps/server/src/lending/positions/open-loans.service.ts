import type { lendingOperations, QueryOf } from '@tallystick/wire'
import type { Block } from '../../platform/chain/block.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { asCursor, countOf, readCursor } from '../../platform/page.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, isServedAt, type MarketCall, marketStore } from '../core/index.ts'
import { isOpen } from '../loans/index.rules.ts'
import { answered, loanRead, loanTermsRead, realizationTermsOf } from '../loans/index.ts'
import type { LendingParts } from '../parts.ts'
import {
  type LookedAtLoan,
  type LookedAtMarket,
  ranked,
  shownOpenLoan,
  shownUnread,
  type UnreadMarket,
} from './open-loans.rules.ts'
import { listOpenLoans, listShort, type OpenLoanRow } from './open-loans.store.ts'

type ListQuery = QueryOf<typeof lendingOperations.listOpenLoans>

/** Two reads each, all of one block: a node answers that in one round trip. */
const MOST_LOANS = 2_000
const PLACE = /^(\d{80}|z) [0-9a-f-]{36} \d{20}$/

export interface OpenLoans {
  readonly loans: readonly LookedAtLoan[]
  readonly markets: readonly LookedAtMarket[]
  /** The contracts of these did not answer: nothing of them is among the others. */
  readonly unread: readonly UnreadMarket[]
  /** False: older loans were left out, or a market did not answer. */
  readonly isComplete: boolean
  /** Undefined: there was nothing to ask the chain. */
  readonly block: Block | undefined
}

type Placed = Pick<DeployedRecord, 'marketId' | 'market'>

/** The open loans of all markets of an instance. */
export function createOpenLoans({ chains }: LendingParts) {
  async function recorded(tenant: TenantDatabase, chainId: number, isWanted: (record: Placed) => boolean) {
    const rows = await tenant.read((sql) => marketStore.listActive(sql, tenant.instanceId))
    const records = marketStore
      .asRecords(rows)
      .flatMap(({ marketId, market }): Placed[] => (market ? [{ marketId, market }] : []))
      .filter(isWanted)
    const addresses = records.map(({ market }) => market.address)
    const adapters = records.map(({ market }) => market.adapter)
    const [open, short] = await Promise.all([
      tenant.read((sql) => listOpenLoans(sql, chainId, addresses, MOST_LOANS + 1)),
      tenant.read((sql) => listShort(sql, chainId, adapters)),
    ])
    return { records, open, short: new Set(short.map(({ adapter, holder }) => `${adapter} ${holder}`)) }
  }

  /** Everything at one block, in one round trip, however many markets and loans there are. */
  function readAll(chainId: number, records: readonly Placed[], open: readonly (OpenLoanRow & { of: Placed })[]) {
    return readNamed(chains.get(chainId), {
      prices: records.map(({ market }) => contractRead(market.oracle, abis.oracle, 'price', [])),
      updates: records.map(({ market }) => contractRead(market.oracle, abis.oracle, 'updatedAt', [])),
      ages: records.map(({ market }) => contractRead(market.oracle, abis.oracle, 'maxPriceAge', [])),
      configs: records.map(({ market }) => contractRead(market.address, abis.market, 'config', [])),
      loans: open.map(({ of, loanId }) => loanRead(of.market, loanId)),
      terms: open.map(({ of, loanId }) => loanTermsRead(of.market, loanId)),
    })
  }

  async function look(
    tenant: TenantDatabase,
    chainId: number,
    isWanted: (record: Placed) => boolean = () => true,
  ): Promise<OpenLoans> {
    const { records, open, short } = await recorded(tenant, chainId, isWanted)
    if (records.length === 0) return { loans: [], markets: [], unread: [], isComplete: true, block: undefined }
    const byAddress = new Map(records.map((record) => [record.market.address.toString(), record]))
    const wanted = open.slice(0, MOST_LOANS).flatMap((row) => {
      const of = byAddress.get(row.market)
      return of ? [{ ...row, of }] : []
    })
    const { block, results } = await readAll(chainId, records, wanted)
    const unread: UnreadMarket[] = []
    const muteMarkets = new Set(wanted.flatMap(({ of }, index) => (results.loans[index]?.ok ? [] : [of.marketId])))
    const markets = records.flatMap(({ marketId, market }, index) => {
      const price = answered(results.prices[index])
      const config = answered(results.configs[index])
      const priceUpdatedAt = answered(results.updates[index])
      const maxPriceAge = answered(results.ages[index])
      if (config === null || muteMarkets.has(marketId)) unread.push({ marketId, market, reason: 'MARKET_UNREADABLE' })
      else if (price === null || priceUpdatedAt === null || maxPriceAge === null)
        unread.push({ marketId, market, reason: 'PRICE_UNREADABLE' })
      else return [{ marketId, market, price, config, priceUpdatedAt, maxPriceAge }]
      return []
    })
    const lookedAt = new Map(markets.map((one) => [one.marketId, one]))
    const loans = wanted.flatMap(({ of, loanId }, index): LookedAtLoan[] => {
      const { marketId, market } = of
      const read = lookedAt.get(marketId)
      const loan = answered(results.loans[index])
      // The chain may be ahead of our record.
      if (!read || !loan || !isOpen(loan)) return []
      const terms = realizationTermsOf(answered(results.terms[index]), read.config)
      const measure = { price: read.price, ...terms, chainTime: block.time }
      const isShort = [market.adapter, loan.borrower.toLowerCase()].some((one) => short.has(`${market.adapter} ${one}`))
      return [{ marketId, market, loanId, loan, measure, isIntact: loan.collateral === 0n || !isShort }]
    })
    const isComplete = open.length <= MOST_LOANS && unread.length === 0
    return { loans, markets, unread, isComplete, block }
  }

  return {
    look,

    async list({ tenant, mountedAt }: MarketCall, chainId: number, query: ListQuery) {
      const limit = countOf(query.limit, { fallback: 50, most: 200 })
      const after = readCursor(query.cursor, PLACE)?.join(' ') ?? ''
      const { loans, unread, isComplete, block } = await look(tenant, chainId, (record) =>
        isServedAt(mountedAt, record),
      )
      const behind = ranked(loans, query.sort ?? 'health').filter(({ place }) => place > after)
      const page = behind.slice(0, limit)
      const last = page.at(-1)
      const hasMore = behind.length > limit
      const data = {
        loans: page.map(({ one }) => shownOpenLoan(one)),
        total: loans.length,
        isComplete,
        unreadMarkets: unread.map(shownUnread),
        hasMore,
        limit,
        nextCursor: hasMore && last ? asCursor([last.place]) : null,
      }
      return { data, ...(block ? { block } : {}) }
    },
  }
}

export type OpenLoansService = ReturnType<typeof createOpenLoans>
