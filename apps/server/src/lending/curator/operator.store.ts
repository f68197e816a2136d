import type { Sql } from '../../platform/db/database.ts'

interface OfMarket {
  readonly chainId: number
  readonly address: string
  readonly factory: string
}

export interface OperatorFact {
  readonly id: string
  readonly operation:
    | 'factory.CuratorAccepted'
    | 'market.OperatorFeeRecipientUpdated'
    | 'market.OperatorFeePaid'
    | 'market.LiquidityAdded'
    | 'market.LiquidityRemoved'
  readonly effect: Readonly<Record<string, string>>
  readonly txHash: string
  readonly blockTime: bigint
}

/**
 * What whoever was the operator at some time did, newest first. The adoption names the first operator by an event of its own,
 * which is left out: it is the adoption.
 */
export const listOperatorFacts = (sql: Sql, { chainId, address, factory }: OfMarket, limit: number) => sql<
  OperatorFact[]
>`
  with operators as (
    select effect ->> 'current' as wallet from chain_live_facts
    where chain_id = ${chainId} and subject = ${address} and operation = 'market.OperatorFeeRecipientUpdated')
  select fact_id as id, operation, effect, tx_hash as "txHash", block_time as "blockTime" from chain_live_facts
  where chain_id = ${chainId} and (
    (subject = ${factory} and operation = 'factory.CuratorAccepted' and effect ->> 'market' = ${address})
    or (subject = ${address} and (
      operation = 'market.OperatorFeePaid'
      or (operation = 'market.OperatorFeeRecipientUpdated' and effect ->> 'previous' <> '0x0000000000000000000000000000000000000000')
      or (operation in ('market.LiquidityAdded', 'market.LiquidityRemoved')
          and effect ->> 'provider' in (select wallet from operators)))))
  order by block_number desc, block_log_index desc limit ${limit}`

/** The transaction that adopted the market, if it was taken down. */
export const findAdoption = (sql: Sql, { chainId, address, factory }: OfMarket) => sql<{ txHash: string }[]>`
  select tx_hash as "txHash" from chain_live_facts
  where chain_id = ${chainId} and subject = ${factory} and operation = 'factory.CuratorAccepted' and effect ->> 'market' = ${address}`
