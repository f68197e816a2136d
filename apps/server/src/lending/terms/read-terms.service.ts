import { AppError } from '../../platform/app-error.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { readAuthor } from './author.service.ts'
import {
  type ExportFormat,
  exportEndings,
  exportedTerms,
  listedTerms,
  shownTerms,
  type TermsFormat,
} from './saved-terms.ts'
import { exportName, pageLimit } from './terms.rules.ts'
import * as store from './terms.store.ts'

const PAGE = { preset: 25, max: 100 }
/** Above every version there can be. */
const NEWEST = 2 ** 31 - 1

/** What was saved for a market, whoever of its instances asks. */
export function createReadTerms({ chains }: LendingParts) {
  /** Authors see what they have not published yet; to everybody else it does not exist. */
  async function draftFor(call: MarketCall, marketId: string): Promise<store.TermsRow | undefined> {
    const { market, wallets } = await findDeployedMarket(call, marketId)
    const [newest] = await call.tenant.read((sql) => store.findNewest(sql, market))
    if (!newest || wallets.length === 0) return undefined
    const author = await readAuthor(chains.get(market.chainId), market, wallets)
    if (author === 'UNREADABLE') throw new AppError('MARKET_UNREADABLE')
    return author ? newest : undefined
  }

  return {
    async current(call: MarketCall, marketId: string, format?: TermsFormat) {
      const { market } = await findDeployedMarket(call, marketId)
      const [row] = await call.tenant.read((sql) => store.findCurrent(sql, market))
      if (!row) throw new AppError('TERMS_NOT_PUBLISHED')
      return { data: { terms: shownTerms(market.address, row, format) } }
    },

    async version(call: MarketCall, marketId: string, version: string, format?: TermsFormat) {
      const { market } = await findDeployedMarket(call, marketId)
      const [row] = await call.tenant.read((sql) => store.findVersion(sql, market, Number(version)))
      if (!row) throw new AppError('TERMS_VERSION_NOT_FOUND')
      return { data: { terms: shownTerms(market.address, row, format) } }
    },

    async versions(call: MarketCall, marketId: string, asked: { limit?: string; cursor?: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const limit = pageLimit(asked.limit, PAGE)
      const below = asked.cursor && /^\d{1,9}$/.test(asked.cursor) ? Number(asked.cursor) : NEWEST
      const [rows, [current]] = await Promise.all([
        call.tenant.read((sql) => store.listVersions(sql, market, below, limit + 1)),
        call.tenant.read((sql) => store.findCurrent(sql, market)),
      ])
      const page = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? String(page.at(-1)?.version) : null
      return { data: { versions: page.map(listedTerms), current: current?.version ?? null, limit, nextCursor } }
    },

    async file(call: MarketCall, marketId: string, format: ExportFormat = 'pdf') {
      const { market } = await findDeployedMarket(call, marketId)
      const [inForce] = await call.tenant.read((sql) => store.findCurrent(sql, market))
      const row = inForce ?? (await draftFor(call, marketId))
      if (!row) throw new AppError('TERMS_NOT_PUBLISHED')
      const name = exportName(market.collateralSymbol, row.version, exportEndings[format])
      return { data: null, file: { name, ...(await exportedTerms(market.address, row, format)) } }
    },
  }
}

export type ReadTerms = ReturnType<typeof createReadTerms>
