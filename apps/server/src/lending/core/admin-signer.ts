import type { Refuse } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { DeployedRecord } from './find-market.ts'
import { requireOperator } from './operator.rules.ts'
import { roleReads, signerBlock } from './signer.reads.ts'

const ROLE = 'DEFAULT_ADMIN_ROLE'

/** Whether there is a lender of record, and who of the instance is admin of the market. */
export const adminReads = ({ market, wallets }: DeployedRecord) => ({
  operator: contractRead(market.address, abis.market, 'operatorFeeRecipient', []),
  admins: roleReads(market.address, ROLE, wallets),
})

/** What the market admin has to sign: whom it is simulated from, and what the answer says of the signer. */
export function requireAdmin(
  { operator, admins }: NamedResults<ReturnType<typeof adminReads>>,
  { wallets }: DeployedRecord,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'MARKET_PENDING_CURATOR'>,
) {
  if (!operator.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  requireOperator(operator.value, refuse)
  return { operator: operator.value, signing: signerBlock(ROLE, wallets, admins) }
}
