import type postgres from 'postgres'
import type { Address } from 'viem'

interface Fill {
  readonly market: Address
  /** A loan that was opened and repaid on chain: what the record has of it is what it gets of the others. */
  readonly pattern: bigint
  readonly from: number
  readonly to: number
  /** Has a tenth of them. */
  readonly great: Address
}

/** Everybody else, with about ninety loans each of a million. */
const WALLETS = 10_000

interface Index {
  readonly name: string
  readonly definition: string
}

/** Indexes that no constraint stands on: made anew at the end, they cost a fraction of what each row would have cost. */
async function withoutIndexes(sql: postgres.Sql, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const indexes = await sql<Index[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = any(${[...tables]}::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await work()
  await sql`set maintenance_work_mem = '512MB'`
  for (const { definition } of indexes) await sql.unsafe(definition)
}

/**
 * Loans that only the record knows: each with the events of a loan that was opened and repaid on chain, a minute apart, under wallets
 * and numbers of their own. Topics and data of the logs are those of the pattern: nothing reads them again.
 */
export async function fillLoans(sql: postgres.Sql, { market, pattern, from, to, great }: Fill): Promise<void> {
  // No look at a foreign key for each row: they are made in pairs.
  await sql`set session_replication_role = replica`
  await sql`
    create table loan_pattern as
    select l.*, f.subject, f.operation, f.effect,
      (select o.loan_wallet from chain_facts o where o.subject = ${market} and o.operation = 'market.LoanOpened'
        and o.loan_id = ${pattern.toString()}::bigint) as borrower,
      row_number() over (order by l.block_number, l.block_log_index, f.operation) as turn
    from chain_facts f join chain_logs l using (chain_id, tx_hash, log_index)
    where f.loan_id = ${pattern.toString()}::bigint`
  const turns = sql`generate_series(${from}::int, ${to}::int) as n cross join loan_pattern p`
  const txHash = sql`'0x' || lpad(to_hex(p.turn), 8, '0') || lpad(to_hex(n), 56, '0')`
  await withoutIndexes(sql, ['chain_logs', 'chain_facts'], async () => {
    await sql`
      insert into chain_logs (chain_id, tx_hash, log_index, block_log_index, address, topics, data, block_number, block_hash, block_time,
        tx_from, finality)
      select p.chain_id, ${txHash}, p.log_index, n * 16 + p.turn, p.address, p.topics, p.data, 1, p.block_hash, p.block_time - (${to}::int - n) * 60,
        p.tx_from, 'FINALIZED'
      from ${turns}`
    await sql`
      insert into chain_facts (fact_id, chain_id, tx_hash, log_index, subject, operation, effect)
      select gen_random_uuid(), p.chain_id, ${txHash}, p.log_index, p.subject, p.operation,
        replace(p.effect::text, p.borrower, case when n % 10 = 0 then ${great.toLowerCase()}
          else '0x' || lpad(to_hex(n % ${WALLETS}::int), 40, 'e') end)::jsonb || jsonb_build_object('loanId', n::text)
      from ${turns}`
  })
  await sql`drop table loan_pattern`
  await sql`set session_replication_role = origin`
  // As the database does by itself some time after so many rows.
  await sql`analyze chain_logs`
  await sql`analyze chain_facts`
}
