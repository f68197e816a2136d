import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** Who the sale recipient is, as far as our record has come. */
export const findSaleRecipient = (sql: Sql, chainId: number, router: string) => sql<{ recipient: Address }[]>`
  select effect ->> 'newRecipient' as recipient from chain_live_facts
  where chain_id = ${chainId} and subject = ${router} and operation = 'router.SaleRecipientSet'
  order by block_number desc, block_log_index desc limit 1`
