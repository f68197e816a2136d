import type { Address, Hex } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** A signed price that somebody reported, and the transaction that brought it to the oracle, once one did. */
export interface AttestationRow {
  readonly id: string
  readonly price: bigint
  readonly attestedAt: bigint
  readonly validUntil: bigint
  readonly signer: Address
  readonly createdAt: Date
  readonly pushedTxHash: string | null
  readonly pushedTime: bigint | null
}

export interface NewAttestation {
  readonly id: string
  readonly chainId: number
  readonly oracle: Address
  readonly price: bigint
  readonly attestedAt: number
  readonly validUntil: number
  readonly signer: Address
  readonly signature: Hex
  readonly reportedBy: string
  readonly createdAt: Date
}

/** Needs the role tally_chain: who may read the oracle may read what was signed for it. False: it was known already. */
export async function insertAttestation(sql: Sql, row: NewAttestation): Promise<boolean> {
  const inserted = await sql`
    insert into price_attestations (chain_id, oracle, attestation_id, price_raw, attested_at, valid_until, signer, signature, reported_by, created_at)
    values (${row.chainId}, ${row.oracle}, ${row.id}, ${row.price.toString()}::numeric, ${row.attestedAt}, ${row.validUntil}, ${row.signer},
      ${row.signature}, ${row.reportedBy}, ${row.createdAt})
    on conflict (chain_id, oracle, signature) do nothing returning 1`
  return inserted.length === 1
}

/** An event that stores this very price, second and signer is the push of the attestation: the oracle takes each second once. */
const withPush = (sql: Sql) => sql`
  select a.attestation_id as id, a.price_raw as price, a.attested_at as "attestedAt", a.valid_until as "validUntil", a.signer,
         a.created_at as "createdAt", p.tx_hash as "pushedTxHash", p.block_time as "pushedTime"
  from attested a left join (
    select distinct on (effect ->> 'timestamp', effect ->> 'newPrice', effect ->> 'updater')
      effect ->> 'timestamp' as second, effect ->> 'newPrice' as price, effect ->> 'updater' as updater, tx_hash, block_time
    from pushes order by effect ->> 'timestamp', effect ->> 'newPrice', effect ->> 'updater', block_number, block_log_index
  ) p on p.second = a.attested_at::text and p.price = a.price_raw::text and p.updater = a.signer`

const pushes = (sql: Sql, chainId: number, oracle: Address) => sql`
  select effect, tx_hash, block_time, block_number, block_log_index from chain_live_facts
  where chain_id = ${chainId} and subject = ${oracle} and operation = 'oracle.PriceUpdated'`

export const findBySignature = (sql: Sql, chainId: number, oracle: Address, signature: Hex) => sql<AttestationRow[]>`
  with attested as (select * from price_attestations where chain_id = ${chainId} and oracle = ${oracle} and signature = ${signature}),
    pushes as (${pushes(sql, chainId, oracle)})
  ${withPush(sql)}`

export interface ListPlace {
  readonly limit: number
  readonly offset: number
  /** The last row that was shown: goes on behind it. */
  readonly after: { readonly attestedAt: string; readonly id: string }
}

export const listAttestations = (
  sql: Sql,
  chainId: number,
  oracle: Address,
  { limit, offset, after }: ListPlace,
) => sql<AttestationRow[]>`
  with attested as (
      select * from price_attestations where chain_id = ${chainId} and oracle = ${oracle}
        and (attested_at, attestation_id) < (${after.attestedAt}::bigint, ${after.id}::uuid)
      order by attested_at desc, attestation_id desc limit ${limit} offset ${offset}),
    pushes as (${pushes(sql, chainId, oracle)})
  ${withPush(sql)} order by a.attested_at desc, a.attestation_id desc`

/** The newest signed price of exactly this value that the instance itself reported. */
export const findOwn = (sql: Sql, instanceId: string, chainId: number, oracle: Address, price: bigint) => sql<
  { id: string; attestedAt: bigint; validUntil: bigint; signature: Hex }[]
>`
  select attestation_id as id, attested_at as "attestedAt", valid_until as "validUntil", signature from price_attestations
  where chain_id = ${chainId} and oracle = ${oracle} and price_raw = ${price.toString()}::numeric and reported_by = ${instanceId}
  order by attested_at desc, attestation_id desc limit 1`
