import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { actAs, type Sql } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { type Author, readAuthor } from './author.service.ts'
import { shownTerms } from './saved-terms.ts'
import { termsText } from './terms.rules.ts'
import * as store from './terms.store.ts'
import { isTooDeep } from './terms-document.ts'

type PutBody = BodyOf<typeof lendingOperations.putTerms>

function noticeOf(published: boolean, row: store.TermsRow, live: store.TermsRow | undefined): string | null {
  if (published) return null
  if (row.isCurrent) return 'This text is in force already. Withdraw it with DELETE if it should not be.'
  return live ? `Saved as a draft beside version ${live.version}, which stays in force.` : 'Saved as a draft.'
}

/** Saving, publishing and withdrawing, for those whom the chain names as authors. */
export function createWriteTerms({ clock, random, chains }: LendingParts) {
  async function requireAuthor(call: MarketCall, marketId: string) {
    const { market, wallets } = await findDeployedMarket(call, marketId)
    if (wallets.length === 0) throw new AppError('WALLET_NOT_CONFIGURED')
    const author = await readAuthor(chains.get(market.chainId), market, wallets)
    if (author === 'UNREADABLE') throw new AppError('MARKET_UNREADABLE')
    if (!author) throw new AppError('NOT_CURATOR')
    return { market, author }
  }

  /** Terms are shared rows: written under the role that writes those, by one at a time. */
  const writing = <T>({ tenant }: MarketCall, market: store.MarketKey, work: (sql: Sql) => Promise<T>): Promise<T> =>
    tenant.transaction(async (sql) => {
      await actAs(sql, 'tally_chain')
      await store.lockTerms(sql, market)
      const result = await work(sql)
      await actAs(sql, 'tally_api')
      return result
    })

  async function save(
    sql: Sql,
    market: store.MarketKey,
    author: Author,
    request: Pick<store.TermsRow, 'title' | 'content' | 'contentHash' | 'providesForExtensions' | 'published'>,
  ): Promise<{ row: store.TermsRow; live: store.TermsRow | undefined; changed: boolean }> {
    const now = clock.now()
    const { published } = request
    const [[newest], [live]] = [await store.findNewest(sql, market), await store.findCurrent(sql, market)]
    const isSame =
      newest?.contentHash === request.contentHash &&
      newest.title === request.title &&
      newest.providesForExtensions === request.providesForExtensions
    if (newest && isSame && (!published || newest.isCurrent)) return { row: newest, live, changed: false }
    if (published) await store.endCurrent(sql, market)
    const publication = { published, isCurrent: published, publishedAt: published ? now : null }
    if (newest && isSame) {
      await store.publish(sql, market, newest.version, now)
      const row = { ...newest, ...publication }
      return { row, live: row, changed: true }
    }
    const row: store.TermsRow = {
      ...request,
      ...publication,
      termsId: newId(clock, random),
      version: (newest?.version ?? 0) + 1,
      author: author.wallet,
      createdAt: now,
    }
    await store.insertVersion(sql, market, row)
    return { row, live: published ? row : live, changed: true }
  }

  return {
    async put(call: MarketCall, marketId: string, body: PutBody) {
      const { market, author } = await requireAuthor(call, marketId)
      const { published = true, providesForExtensions = false } = body
      const text = termsText(body.content, body.title)
      if ('fault' in text) throw new AppError(text.fault)
      if (isTooDeep(text.content))
        throw new AppError('INVALID_TERMS_CONTENT', { detail: 'content sets quotes or lists in too deep.' })
      const saved = await writing(call, market, (sql) =>
        save(sql, market, author, { ...text, providesForExtensions, published }),
      )
      const { row, live, changed } = saved
      const data = {
        terms: shownTerms(market.address, row),
        changed,
        authority: author.authority,
        liveVersion: live?.version ?? null,
        notice: noticeOf(published, row, live),
      }
      return { data }
    },

    async withdraw(call: MarketCall, marketId: string) {
      const { market, author } = await requireAuthor(call, marketId)
      const unpublished = await writing(call, market, (sql) => store.withdraw(sql, market))
      return { data: { unpublished, authority: author.authority } }
    },
  }
}

export type WriteTerms = ReturnType<typeof createWriteTerms>
