import type { Effect } from '../../platform/chain/call-pair.ts'
import type { Sql } from '../../platform/db/database.ts'

/** A proposal as our record of the chain tells it. */
export interface RecordedProposal {
  readonly proposalId: bigint
  /** What `ExtensionProposed` said. */
  readonly proposed: Effect
  readonly proposeTxHash: string
  readonly confirmTxHash: string | null
  readonly cancelTxHash: string | null
  readonly isCompleted: boolean
  readonly appliedCount: number
  readonly recordedByThisInstance: boolean
}

/** The newest proposals below an id. */
export const listRecordedProposals = (sql: Sql, chainId: number, market: string, below: bigint, limit: number) => sql<
  RecordedProposal[]
>`
  with extension_facts as (
    select (f.effect ->> 'proposalId')::numeric::bigint as proposal_id, f.operation, f.effect, f.tx_hash,
      exists (select from recordings r where r.chain_id = f.chain_id and r.tx_hash = f.tx_hash and r.log_index = f.log_index
        and r.operation = f.operation) as is_ours
    from chain_live_facts f
    where f.chain_id = ${chainId} and f.subject = ${market} and f.operation in ('market.ExtensionProposed', 'market.ExtensionConfirmed',
      'market.ExtensionApplied', 'market.ExtensionCompleted', 'market.ExtensionCancelled'))
  select proposal_id as "proposalId",
    (array_agg(effect) filter (where operation = 'market.ExtensionProposed'))[1] as proposed,
    max(tx_hash) filter (where operation = 'market.ExtensionProposed') as "proposeTxHash",
    max(tx_hash) filter (where operation = 'market.ExtensionConfirmed') as "confirmTxHash",
    max(tx_hash) filter (where operation = 'market.ExtensionCancelled') as "cancelTxHash",
    bool_or(operation = 'market.ExtensionCompleted') as "isCompleted",
    (count(*) filter (where operation = 'market.ExtensionApplied'))::integer as "appliedCount",
    bool_or(operation = 'market.ExtensionProposed' and is_ours) as "recordedByThisInstance"
  from extension_facts where proposal_id < ${below.toString()}::numeric
  group by proposal_id having bool_or(operation = 'market.ExtensionProposed')
  order by proposal_id desc limit ${limit}`

export interface RecordedLoans {
  /** Loans that are not closed, lowest first, as many as were asked for. */
  readonly open: readonly string[]
  readonly openCount: number
  /** The highest loan id we know of. */
  readonly highest: bigint | null
}

/** A closed loan never opens again, so what our record shows closed needs no look at the chain. */
export const listRecordedLoans = (sql: Sql, chainId: number, market: string, limit: number) => sql<RecordedLoans[]>`
  with loans as (
    select (effect ->> 'loanId')::numeric::bigint as loan_id, bool_or(operation = 'market.LoanClosed') as is_closed
    from chain_live_facts where chain_id = ${chainId} and subject = ${market} and operation in ('market.LoanOpened', 'market.LoanClosed')
    group by 1)
  select coalesce((array_agg(loan_id::text order by loan_id) filter (where not is_closed))[1:${limit}], '{}') as open,
    (count(*) filter (where not is_closed))::integer as "openCount", max(loan_id) as highest from loans`
