import {
  claimSlots,
  type Feature,
  type inboxOperations,
  type QueryOf,
  type Scope,
  type Service,
} from '@tallystick/wire'
import { listUnfinished } from '../access/index.ts'
import { listInvestors } from '../identity/index.ts'
import { createOpenLoans, dueOf, healthWad, type LendingParts, type OpenLoans, shownHealth } from '../lending/index.ts'
import { AppError } from '../platform/app-error.ts'
import { ChainUnavailableError } from '../platform/chain/rpc.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { asCursor, countOf, readCursor } from '../platform/page.ts'
import type { Trading } from '../trading/index.ts'
import {
  CLAIM_ENDED_WITHIN,
  CLAIM_ENDS_WITHIN,
  countsOf,
  type Need,
  needOfClaim,
  needOfLoan,
  needOfPrice,
  needOfTransaction,
  needOfUnread,
  needOfWaiting,
  PLACE,
  placeOf,
} from './inbox.rules.ts'

type Query = QueryOf<typeof inboxOperations.listInbox>

export interface InboxParts extends LendingParts {
  readonly trading: Pick<Trading, 'waiting'>
}

/** So many of a kind are looked at; whoever has more has other ways to look. */
const MOST = 500

interface Found {
  readonly needs: readonly Need[]
  readonly isComplete: boolean
  readonly block?: OpenLoans['block']
}

interface Asked {
  readonly tenant: TenantDatabase
  readonly caller: Caller
  /** Unix seconds. */
  readonly now: number
}

const pairOf = ({ collateralSymbol, borrowSymbol }: { collateralSymbol: string; borrowSymbol: string }) =>
  `${collateralSymbol} / ${borrowSymbol}`

/** What needs somebody, over all features. */
export function createInbox(parts: InboxParts) {
  const openLoans = createOpenLoans(parts)

  async function ofLending({ tenant, caller }: Asked): Promise<Found> {
    const { loans, markets, unread, isComplete, block } = await openLoans.look(tenant, caller.instance.chainId)
    // Loans and prices age by the clock of the chain.
    const now = block?.time ?? 0
    const ofLoans = loans.flatMap((one) => {
      const due = dueOf(one)
      const health = healthWad(one)
      const seen = {
        marketId: one.marketId,
        pair: pairOf(one.market),
        loanId: one.loanId.toString(),
        borrower: one.loan.borrower.toLowerCase(),
        healthWad: health,
        healthFactor: shownHealth(health),
        dueAt: due === null ? null : Number(due),
      }
      return needOfLoan(seen, now)
    })
    const ofPrices = markets.flatMap(({ marketId, market, priceUpdatedAt, maxPriceAge }) =>
      needOfPrice(
        { marketId, pair: pairOf(market), updatedAt: Number(priceUpdatedAt), maxAge: Number(maxPriceAge) },
        now,
      ),
    )
    const ofUnread = unread.map(({ marketId, market }) => needOfUnread(marketId, pairOf(market)))
    return { needs: [...ofLoans, ...ofPrices, ...ofUnread], isComplete, block }
  }

  async function ofIdentity({ tenant, caller, now }: Asked): Promise<Found> {
    const rows = await tenant.read((sql) =>
      listInvestors(sql, {
        instanceId: tenant.instanceId,
        chainId: caller.instance.chainId,
        words: null,
        endsBetween: [now - CLAIM_ENDED_WITHIN, now + CLAIM_ENDS_WITHIN],
        after: null,
        limit: MOST + 1,
      }),
    )
    const needs = rows.slice(0, MOST).flatMap(({ wallet, claims }) =>
      claims.flatMap(({ slot, expiry }) => {
        const name = claimSlots[slot]
        return name ? needOfClaim({ slot: name, wallet, expiry: Number(expiry) }, now) : []
      }),
    )
    return { needs, isComplete: rows.length <= MOST }
  }

  async function ofTrading({ tenant, now }: Asked): Promise<Found> {
    const rows = await parts.trading.waiting(tenant, MOST + 1)
    return { needs: rows.slice(0, MOST).flatMap((row) => needOfWaiting(row, now)), isComplete: rows.length <= MOST }
  }

  async function ofTransactions({ tenant, now }: Asked): Promise<Found> {
    const rows = await tenant.read((sql) => listUnfinished(sql, tenant.instanceId, parts.clock.now(), MOST + 1))
    return { needs: rows.slice(0, MOST).flatMap((row) => needOfTransaction(row, now)), isComplete: rows.length <= MOST }
  }

  const sources: readonly {
    of: Feature
    scope: Scope
    service: Service | null
    look: (asked: Asked) => Promise<Found>
  }[] = [
    { of: 'access', scope: 'access:read', service: null, look: ofTransactions },
    { of: 'lending', scope: 'lending:read', service: 'lending', look: ofLending },
    { of: 'identity', scope: 'identity:read', service: 'identity', look: ofIdentity },
    { of: 'trading', scope: 'trading:read', service: 'trading', look: ofTrading },
  ]

  /** Null: the chain does not answer, which must not hide what else waits. */
  async function lookedAt(asked: Asked, { look }: (typeof sources)[number]): Promise<Found | null> {
    try {
      return await look(asked)
    } catch (error) {
      const isUnread = error instanceof AppError && error.code === 'LOAN_STATE_UNAVAILABLE'
      if (isUnread || error instanceof ChainUnavailableError) return null
      throw error
    }
  }

  return async (tenant: TenantDatabase, caller: Caller, query: Query) => {
    const limit = countOf(query.limit, { fallback: 50, most: 200 })
    const after = readCursor(query.cursor, PLACE)?.join(' ') ?? ''
    const asked = { tenant, caller, now: Math.floor(parts.clock.now().getTime() / 1000) }
    const { scopes, instance } = caller
    const wanted = sources.filter(
      ({ scope, service }) => scopes.includes(scope) && (service === null || instance.services.includes(service)),
    )
    const found = await Promise.all(wanted.map(async (one) => ({ of: one.of, found: await lookedAt(asked, one) })))
    const needs = found.flatMap((one) => one.found?.needs ?? [])
    const placed = needs.map((need) => ({ need, place: placeOf(need) })).sort((a, b) => (a.place < b.place ? -1 : 1))
    const behind = placed.filter(({ place }) => place > after)
    const page = behind.slice(0, limit)
    const last = page.at(-1)
    const hasMore = behind.length > limit
    const data = {
      needs: page.map(({ need }) => need),
      counts: countsOf(needs),
      unread: found.filter((one) => one.found === null).map(({ of }) => of),
      isComplete: found.every((one) => one.found?.isComplete !== false),
      hasMore,
      limit,
      nextCursor: hasMore && last ? asCursor([last.place]) : null,
    }
    const block = found.find((one) => one.found?.block)?.found?.block
    return { data, ...(block ? { block } : {}) }
  }
}

export type Inbox = ReturnType<typeof createInbox>
