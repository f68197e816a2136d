import type { Sql } from '../../platform/db/database.ts'

/** An auction that our record shows open. */
export interface KnownAuction {
  readonly auctionId: string
  readonly loanId: string
}

export interface KnownAuctions {
  readonly open: readonly KnownAuction[]
  /** The record holds the beginning of every auction up to this one. */
  readonly knownTo: string
}

export const findKnownAuctions = (sql: Sql, chainId: number, venue: string) => sql<KnownAuctions[]>`
  with told as (
    select (effect ->> 'auctionId')::numeric as auction_id, max(loan_id) as loan_id,
           bool_or(operation <> 'venue.AuctionStarted') as is_over
    from chain_live_facts where chain_id = ${chainId} and subject = ${venue}
      and operation in ('venue.AuctionStarted', 'venue.AuctionSettled', 'venue.AuctionExpired', 'venue.UnsoldCollateralKept')
    group by 1)
  select coalesce(max(auction_id), 0)::text as "knownTo",
         coalesce(json_agg(json_build_object('auctionId', auction_id::text, 'loanId', loan_id::text) order by auction_id)
           filter (where not is_over), '[]') as open
  from told`
