import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { isUuid } from '../../platform/ids.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import { isOpen, statusOf, valueDown } from '../loans/index.rules.ts'
import type { LendingParts } from '../parts.ts'
import { shownCompliance } from './compliance.rules.ts'
import { createLines } from './history-lines.ts'
import { findIntact } from './intact.ts'
import { BELOW_ALL } from './loan-events.rules.ts'
import { readLoanState, readLoans } from './loan-state.ts'
import { shownLosses } from './losses.rules.ts'
import { pledgeOf } from './pledge.rules.ts'
import { findRow, listRows, listStory } from './positions.store.ts'
import { shownPosition } from './shown-position.rules.ts'

type ListQuery = QueryOf<typeof lendingOperations.listPositions>

/** How far `offset` reaches back. */
const WINDOW = 2000
const LINES_IN_LIST = 5
const LINES = 1000

/** A position by its id; one that a reorg took away is gone. */
export async function findPosition({ tenant }: MarketCall, market: Market, positionId: string) {
  const rows = isUuid(positionId) ? await tenant.read((sql) => findRow(sql, market, { positionId })) : []
  const [row] = rows
  if (!row) throw new AppError('POSITION_NOT_FOUND')
  return row
}

/** Loans as our record tells them, with the figures that only the chain knows. */
export function createPositions({ chains }: LendingParts) {
  return {
    async list(call: MarketCall, marketId: string, query: ListQuery) {
      const { tenant } = call
      const { market } = await findDeployedMarket(call, marketId)
      const { limit, offset } = pageOf(query, { fallback: 50, most: 200 })
      const [below = BELOW_ALL] = readCursor(query.cursor, /^\d{1,15}$/) ?? []
      // Past the window only the cursor leads on.
      const most = Math.max(Math.min(limit, WINDOW - offset), 0)
      const request = {
        ...{ market, instanceId: tenant.instanceId, below, status: query.status },
        ...{ limit: most + 1, offset: Math.min(offset, WINDOW) },
      }
      const [rows, isIntact] = await Promise.all([
        tenant.read((sql) => listRows(sql, request, LINES_IN_LIST)),
        findIntact(tenant, market),
      ])
      const page = rows.slice(0, most)
      const open = page.filter(({ status }) => status === 'ACTIVE').map(({ loanId }) => BigInt(loanId))
      const read = open.length === 0 ? null : await readLoans(chains.get(market.chainId), market, open)
      const linesOf = createLines(market, marketId)
      const positions = page.flatMap((row) => {
        const loan = read?.loans.get(BigInt(row.loanId))
        // The chain may be ahead of our record: a reorg took the loan away, or it is closed already, and its figures say so.
        if (loan && statusOf(loan) === 'NONE') return []
        const live = read && loan && isOpen(loan) ? { loan, measure: read.measureOf(BigInt(row.loanId)) } : null
        const shown = {
          id: row.positionId,
          marketId,
          ...shownPosition(market, row, live, loan ? isIntact(loan) : true),
          interestAccrued: formatUnits(loan?.interest ?? 0n, market.borrowDecimals),
          transactions: linesOf(row, row.events, LINES_IN_LIST),
        }
        return [shown]
      })
      const last = page.at(-1)
      const hasMore = rows.length > most
      const data = {
        positions,
        hasMore,
        limit,
        offset,
        nextCursor: hasMore && last ? asCursor([last.loanId]) : null,
      }
      return { data, ...(read ? { block: read.block } : {}) }
    },

    async get(call: MarketCall, marketId: string, positionId: string) {
      const { tenant } = call
      const { market } = await findDeployedMarket(call, marketId)
      const story = { market, instanceId: tenant.instanceId, positionId, limit: LINES }
      const [row, events, isIntact] = await Promise.all([
        findPosition(call, market, positionId),
        isUuid(positionId) ? tenant.read((sql) => listStory(sql, story)) : [],
        findIntact(tenant, market),
      ])
      const state = await readLoanState(chains.get(market.chainId), market, BigInt(row.loanId), pledgeOf(row))
      const { block, loan, measure, judged, arrears, surplus } = state
      if (statusOf(loan) === 'NONE') throw new AppError('POSITION_NOT_FOUND')
      const asAsset = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      const valueAt = (collateral: bigint, price: bigint) =>
        asAsset(valueDown(collateral, price, market.collateralDecimals))
      const { priceAtBorrow, collateralAtOpening } = row
      const data = {
        positionId,
        marketId,
        ...shownPosition(market, row, isOpen(loan) ? { loan, measure } : null, isIntact(loan)),
        accumulatedInterest: asAsset(loan.interest),
        currentPrice: asAsset(measure.price),
        collateralValue: valueAt(loan.collateral, measure.price),
        collateralValueAtBorrow:
          priceAtBorrow === null ? null : valueAt(BigInt(collateralAtOpening), BigInt(priceAtBorrow)),
        compliance: shownCompliance(market, judged),
        surplus: {
          returned: asAsset(BigInt(row.surplusReturned)),
          escrowed: asAsset(BigInt(row.surplusEscrowed)),
          claimable: asAsset(surplus),
        },
        realizationLoss: shownLosses(market, events, arrears.lost),
        transactions: createLines(market, marketId)(row, events, LINES),
      }
      return { data, block }
    },
  }
}

export type PositionsService = ReturnType<typeof createPositions>
