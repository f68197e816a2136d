import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import * as store from './liens.store.ts'

type LiensQuery = QueryOf<typeof lendingOperations.listLiens>

const cursorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function shown(row: store.Shortfall, decimals: number) {
  return {
    id: row.shortfallId,
    holder: row.holder,
    expected: formatUnits(row.expected, decimals),
    found: formatUnits(row.found, decimals),
    missing: formatUnits(row.expected - row.found, decimals),
    pledged: formatUnits(row.pledged, decimals),
    blockNumber: row.blockNumber.toString(),
    noticedAt: row.noticedAt.toISOString(),
  }
}

/** Nothing missing is a statement only if everything was looked at. */
function isIntact(open: number, check: store.LienCheck | undefined): boolean | null {
  if (open > 0) return false
  return check && check.unread === 0 ? true : null
}

/** What the watcher found out about the liens of a market. */
export function createLiens({ clock }: LendingParts) {
  return {
    async list(call: MarketCall, marketId: string, query: LiensQuery) {
      const { market } = await findDeployedMarket(call, marketId)
      const { tenant } = call
      const { chainId, adapter, collateralDecimals } = market
      const { limit } = pageOf({ limit: query.limit }, { fallback: 50, most: 200 })
      const [before = null] = readCursor(query.cursor, cursorForm) ?? []
      const [open, healed, [check]] = await Promise.all([
        tenant.read((sql) => store.openShortfalls(sql, chainId, adapter)),
        tenant.read((sql) => store.healedShortfalls(sql, chainId, adapter, before, limit + 1)),
        tenant.read((sql) => store.findLienCheck(sql, chainId, adapter)),
      ])
      const page = healed.slice(0, limit)
      const last = page.at(-1)
      return {
        data: {
          marketId,
          adapterAddress: adapter,
          mode: market.mode,
          intact: isIntact(open.length, check),
          lastPass: check ? shownPass(check, clock.now()) : null,
          open: open.map((row) => shown(row, collateralDecimals)),
          healed: page.map((row) => ({ ...shown(row, collateralDecimals), healedAt: row.healedAt.toISOString() })),
          limit,
          nextCursor: healed.length > limit && last ? asCursor([last.shortfallId]) : null,
        },
      }
    },
  }
}

function shownPass({ checkedAt, blockNumber, blockTime, wallets, unread }: store.LienCheck, now: Date) {
  return {
    at: checkedAt.toISOString(),
    ageSeconds: Math.max(0, Math.floor((now.getTime() - checkedAt.getTime()) / 1000)),
    blockNumber: blockNumber.toString(),
    chainTime: Number(blockTime),
    wallets,
    unread,
  }
}

export type Liens = ReturnType<typeof createLiens>
