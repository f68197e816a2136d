import type { InvestorType } from '@tallystick/wire'
import type { Sql } from '../../platform/db/database.ts'

export interface InvestorsRequest {
  readonly instanceId: string
  readonly chainId: number
  /** Part of an address, or a country. */
  readonly words: string | null
  /** Only with a claim that ends after the first and up to the second, in unix seconds. */
  readonly endsBetween: readonly [number, number] | null
  /** The last line that was shown: goes on behind it. */
  readonly after: { readonly recordedAt: string; readonly wallet: string; readonly registry: string } | null
  readonly limit: number
}

export interface InvestorRow {
  readonly wallet: `0x${string}`
  readonly registry: `0x${string}`
  readonly recorded: 'verified' | 'revoked'
  readonly recordedAt: Date
  readonly country: string | null
  readonly investorType: InvestorType | null
  readonly claims: readonly { slot: number; issuer: string; expiry: number; issuedAt: number }[]
}

/** Of the registry of this product only: claims of others stand on contracts of their own. An identity that is revoked takes its claims along. */
const claims = (sql: Sql, { chainId }: InvestorsRequest) => sql`
  select distinct on (f.subject, f.effect ->> 'user', f.effect ->> 'claimType') f.subject, f.effect ->> 'user' as wallet, f.operation,
    (f.effect ->> 'claimType')::integer as slot, f.effect ->> 'provider' as issuer, (f.effect ->> 'expiry')::numeric as expiry,
    f.block_time, f.block_number, f.block_log_index
  from chain_live_facts f join (select distinct registry, wallet from standing) s on s.registry = f.subject and s.wallet = f.effect ->> 'user'
  where f.chain_id = ${chainId} and f.operation in ('identityRegistry.ClaimAdded', 'identityRegistry.ClaimRevoked')
    and not exists (select from chain_live_facts r where r.chain_id = f.chain_id and r.subject = f.subject
      and r.operation = 'identityRegistry.IdentityRevoked' and r.effect ->> 'user' = f.effect ->> 'user'
      and (r.block_number, r.block_log_index) > (f.block_number, f.block_log_index))
  order by f.subject, f.effect ->> 'user', f.effect ->> 'claimType', f.block_number desc, f.block_log_index desc`

/** A record counts as long as its event stands; the last one says how it is. */
export const listInvestors = (sql: Sql, request: InvestorsRequest) => sql<InvestorRow[]>`
  with standing as materialized (
    select r.registry, r.wallet, r.status, r.country, r.investor_type, r.recorded_at, f.block_number * 1000000 + f.block_log_index as place
    from identity_records r
    join lateral (select block_number, block_log_index from chain_live_facts f
      where f.chain_id = r.chain_id and f.tx_hash = r.tx_hash and f.log_index = r.log_index limit 1) f on true
    where r.instance_id = ${request.instanceId} and r.chain_id = ${request.chainId}),
  investors as (
    select registry, wallet, (array_agg(status order by place desc))[1] as recorded, date_trunc('milliseconds', max(recorded_at)) as recorded_at,
      (array_agg(country order by place desc) filter (where country is not null))[1] as country,
      (array_agg(investor_type order by place desc) filter (where investor_type is not null))[1] as investor_type
    from standing group by registry, wallet),
  active as materialized (select * from (${claims(sql, request)}) latest where operation = 'identityRegistry.ClaimAdded'),
  page as (
    select * from investors i
    where (${request.words}::text is null or i.wallet like '%' || lower(${request.words}::text) || '%' or i.country = upper(${request.words}::text))
      and (${request.endsBetween?.[0] ?? null}::numeric is null or exists (select from active a where a.subject = i.registry and a.wallet = i.wallet
        and a.expiry > ${request.endsBetween?.[0] ?? null}::numeric and a.expiry <= ${request.endsBetween?.[1] ?? null}::numeric))
      and (${request.after?.recordedAt ?? null}::timestamptz is null or (i.recorded_at, i.wallet, i.registry)
        < (${request.after?.recordedAt ?? null}::timestamptz, ${request.after?.wallet ?? null}::text, ${request.after?.registry ?? null}::text))
    order by i.recorded_at desc, i.wallet desc, i.registry desc limit ${request.limit})
  select p.wallet, p.registry, p.recorded, p.recorded_at as "recordedAt", p.country, p.investor_type as "investorType",
    coalesce((select json_agg(json_build_object('slot', a.slot, 'issuer', a.issuer, 'expiry', a.expiry, 'issuedAt', a.block_time) order by a.slot)
      from active a where a.subject = p.registry and a.wallet = p.wallet), '[]') as claims
  from page p order by p.recorded_at desc, p.wallet desc, p.registry desc`
