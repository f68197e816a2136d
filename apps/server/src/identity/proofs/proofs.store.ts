import type { Sql } from '../../platform/db/database.ts'

export interface ProofKey {
  readonly chainId: number
  readonly registry: string
  readonly wallet: string
}

export interface NewProof extends ProofKey {
  readonly slot: number
  readonly txHash: string
  readonly logIndex: number
  readonly fieldName: string
  readonly proofDigest: string
  readonly dataHash: string
}

/** The same event twice is one row. */
export async function insertProof(sql: Sql, instanceId: string, row: NewProof, now: Date): Promise<void> {
  await sql`
    insert into identity_proofs (instance_id, chain_id, registry, wallet, slot, tx_hash, log_index, field_name, proof_digest, data_hash, recorded_at)
    values (${instanceId}, ${row.chainId}, ${row.registry}, ${row.wallet}, ${row.slot}, ${row.txHash}, ${row.logIndex}, ${row.fieldName},
            ${row.proofDigest}, ${row.dataHash}, ${now})
    on conflict do nothing`
}

export interface LedgerRow {
  readonly slot: number
  readonly fieldName: string
  readonly proofDigest: string
  readonly dataHash: string
  readonly txHash: string
  /** When the registry took the claim, by its own clock. */
  readonly filedAt: bigint
  /** The claim that was filed on an ONCHAINID is known by what its issuer signed. */
  readonly signature: string | null
}

/**
 * What was attested and still stands on chain, newest first. Rows that a revocation took out count again when a reorg took the
 * revocation away.
 */
export const listLedger = (sql: Sql, instanceId: string, { chainId, registry, wallet }: ProofKey) => sql<LedgerRow[]>`
  with ledger as (
    select slot, tx_hash, log_index, field_name, proof_digest, data_hash from identity_proofs
    where instance_id = ${instanceId} and chain_id = ${chainId} and registry = ${registry} and wallet = ${wallet}
    union all
    select a.slot, r.tx_hash, r.log_index, r.field_name, r.proof_digest, r.data_hash from identity_audit a,
      jsonb_to_recordset(a.removed) as r (tx_hash text, log_index integer, field_name text, proof_digest text, data_hash text)
    where a.instance_id = ${instanceId} and a.chain_id = ${chainId} and a.registry = ${registry} and a.wallet = ${wallet}
      and not exists (select from chain_live_facts f where f.chain_id = a.chain_id and f.tx_hash = a.tx_hash and f.log_index = a.log_index))
  select l.slot, l.field_name as "fieldName", l.proof_digest as "proofDigest", l.data_hash as "dataHash", l.tx_hash as "txHash",
    f.block_time as "filedAt", f.effect ->> 'signature' as signature
  from ledger l join chain_live_facts f on f.chain_id = ${chainId} and f.tx_hash = l.tx_hash and f.log_index = l.log_index
    and f.operation in ('identityRegistry.ClaimAdded', 'onchainId.ClaimAdded', 'onchainId.ClaimChanged')
  order by f.block_number desc, f.block_log_index desc`

export interface Revocation extends ProofKey {
  readonly slot: number
  readonly txHash: string
  readonly logIndex: number
}

/**
 * Takes out what was filed in the slot before this revocation and keeps it in the audit. What was attested afterwards stays, also
 * when an old revocation is confirmed late or twice. Answers how many rows this revocation took out.
 */
export async function removeProofs(sql: Sql, instanceId: string, row: Revocation, now: Date): Promise<number> {
  const { chainId, registry, wallet, slot, txHash, logIndex } = row
  const [audit] = await sql<{ removed: number }[]>`
    with revoked as (
      select block_number, block_log_index from chain_live_facts
      where chain_id = ${chainId} and tx_hash = ${txHash} and log_index = ${logIndex} limit 1),
    gone as (
      delete from identity_proofs p using revoked v
      where p.instance_id = ${instanceId} and p.chain_id = ${chainId} and p.registry = ${registry} and p.wallet = ${wallet} and p.slot = ${slot}
        and not exists (select from chain_live_facts f where f.chain_id = p.chain_id and f.tx_hash = p.tx_hash and f.log_index = p.log_index
          and (f.block_number, f.block_log_index) > (v.block_number, v.block_log_index))
      returning p.tx_hash, p.log_index, p.field_name, p.proof_digest, p.data_hash)
    insert into identity_audit (instance_id, chain_id, tx_hash, log_index, registry, wallet, slot, action, removed, recorded_at)
    select ${instanceId}, ${chainId}, ${txHash}, ${logIndex}, ${registry}, ${wallet}, ${slot}, 'REVOKE_CLAIM',
      coalesce((select jsonb_agg(to_jsonb(gone)) from gone), '[]'), ${now}
    on conflict (instance_id, chain_id, registry, wallet, slot, tx_hash, log_index)
      do update set removed = identity_audit.removed || excluded.removed
    returning jsonb_array_length(removed) as removed`
  return audit?.removed ?? 0
}
