import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'
import type { HookKind } from './hook.rules.ts'

/** A rule that is on, and the market it watches. */
export interface ActiveHook {
  readonly instanceId: string
  readonly hookId: string
  readonly marketId: string
  readonly kind: HookKind
  readonly threshold: bigint | null
  readonly armedAt: Date
  readonly armedBlock: bigint
  readonly updatedAt: Date
  readonly chainId: bigint
  readonly market: Address
  readonly isLive: boolean
  readonly oracle: Address
  readonly adapter: Address
  /** Every contract of the market, itself included. */
  readonly contracts: readonly string[]
  readonly factory: Address
  readonly collateralDecimals: number
  readonly borrowDecimals: number
}

/** In one order for everybody: each is locked before it is settled. */
export const listActiveHooks = (sql: Sql, chainId: number, kinds: readonly HookKind[]) => sql<ActiveHook[]>`
  select h.instance_id as "instanceId", h.hook_id as "hookId", h.market_id as "marketId", h.kind, h.threshold, h.armed_at as "armedAt",
    h.armed_block as "armedBlock", h.updated_at as "updatedAt", m.chain_id as "chainId", m.market_address as market, m.is_live as "isLive",
    m.oracle, m.adapter, array[m.market_address, m.oracle, m.rate_model, m.insurance_fund, m.adapter, m.router] as contracts, m.factory,
    m.collateral_decimals as "collateralDecimals", m.borrow_decimals as "borrowDecimals"
  from hooks h join instances i using (instance_id) join market_records r using (instance_id, market_id)
    join lending_markets m on m.chain_id = r.chain_id and m.market_address = r.market_address
  where r.chain_id = ${chainId} and h.active and i.status = 'ACTIVE' and h.kind = any(${[...kinds]}::text[])
  order by h.instance_id, h.hook_id`

/** False: somebody changed or removed it since it was read. */
export async function lockHook(sql: Sql, { instanceId, hookId, updatedAt }: ActiveHook): Promise<boolean> {
  const rows = await sql`
    select from hooks where instance_id = ${instanceId} and hook_id = ${hookId} and active and updated_at = ${updatedAt} for update`
  return rows.length === 1
}

export async function listStates(sql: Sql, { instanceId, hookId }: ActiveHook): Promise<Set<string>> {
  const rows = await sql<{ subject: string }[]>`
    select subject from hook_states where instance_id = ${instanceId} and hook_id = ${hookId}`
  return new Set(rows.map(({ subject }) => subject))
}

export async function insertStates(
  sql: Sql,
  { instanceId, hookId }: ActiveHook,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into hook_states (instance_id, hook_id, subject, since)
    select ${instanceId}::uuid, ${hookId}::uuid, unnest(${[...subjects]}::text[]), ${now}::timestamptz`
}

export async function deleteStates(
  sql: Sql,
  { instanceId, hookId }: ActiveHook,
  subjects: readonly string[],
): Promise<void> {
  await sql`
    delete from hook_states
    where instance_id = ${instanceId} and hook_id = ${hookId} and subject = any(${[...subjects]}::text[])`
}

/** Loans that the record of a market shows open. */
export const listOpenLoans = (sql: Sql, chainId: number, market: string) => sql<{ loanId: string }[]>`
  select loan_id::text as "loanId" from open_loans where chain_id = ${chainId} and market_address = ${market} order by loan_id`

export interface TrackedShortfall {
  readonly shortfallId: string
  readonly holder: string
  readonly token: string
  readonly expected: bigint
  readonly found: bigint
  readonly pledged: bigint
  readonly blockNumber: bigint
  readonly noticedAt: Date
  readonly undone: boolean
}

const shortfallColumns = (sql: Sql) => sql`
  shortfall_id as "shortfallId", holder, token, expected, found, pledged, block_number as "blockNumber", noticed_at as "noticedAt", undone`

export const listOpenShortfalls = (sql: Sql, { chainId, adapter }: ActiveHook) => sql<TrackedShortfall[]>`
  select ${shortfallColumns(sql)} from lien_shortfalls
  where chain_id = ${chainId.toString()}::bigint and adapter = ${adapter} and healed_at is null order by shortfall_id`

export const listShortfalls = (sql: Sql, ids: readonly string[]) => sql<TrackedShortfall[]>`
  select ${shortfallColumns(sql)} from lien_shortfalls where shortfall_id = any(${[...ids]}::text[]::uuid[]) order by shortfall_id`

export interface Seizure {
  readonly loanId: string
  readonly realizationId: string
  readonly destination: string
  readonly collateral: string
  readonly claim: string
  readonly totalDebt: string
  readonly isTerm: boolean
  readonly txHash: string
  readonly blockNumber: bigint
  readonly blockTime: bigint
}

/** Seizures that happened since the hook watches. */
export const listSeizures = (sql: Sql, { chainId, market, armedBlock }: ActiveHook) => sql<Seizure[]>`
  select effect ->> 'loanId' as "loanId", effect ->> 'realizationId' as "realizationId", effect ->> 'destination' as destination,
    effect ->> 'collateral' as collateral, effect ->> 'claim' as claim, effect ->> 'totalDebt' as "totalDebt",
    (effect ->> 'isTerm')::boolean as "isTerm", tx_hash as "txHash", block_number as "blockNumber", block_time as "blockTime"
  from chain_live_facts
  where chain_id = ${chainId.toString()}::bigint and subject = ${market} and operation = 'market.LoanLiquidated'
    and block_number > ${armedBlock.toString()}::numeric
  order by block_number, block_log_index`

export interface OrphanedFact {
  readonly noticeId: string
  readonly contract: string
  readonly operation: string
  readonly txHash: string
  readonly noticedAt: Date
}

/** What reorganizations undid of a market since the hook watches: of its own contracts, and of the factory what names it. */
export const listOrphaned = (sql: Sql, hook: ActiveHook, since: Date) => sql<OrphanedFact[]>`
  select n.notice_id as "noticeId", n.subject as contract, n.operation, n.tx_hash as "txHash", n.noticed_at as "noticedAt"
  from chain_notices n
  where n.chain_id = ${hook.chainId.toString()}::bigint and n.kind = 'FACT_ORPHANED' and n.noticed_at >= ${since}
    and (n.subject = any(${[...hook.contracts]}::text[]) or (n.subject = ${hook.factory} and exists (
      select from chain_facts f where f.chain_id = n.chain_id and f.tx_hash = n.tx_hash and f.operation = n.operation
        and f.subject = n.subject and f.effect ->> 'market' = ${hook.market})))
    -- Mined again elsewhere, nothing was lost.
    and not exists (select from chain_notices r where r.chain_id = n.chain_id and r.subject = n.subject and r.kind = 'FACT_RESTORED'
      and r.tx_hash = n.tx_hash and r.operation = n.operation and r.noticed_at >= n.noticed_at)
  order by n.noticed_at, n.notice_id`
