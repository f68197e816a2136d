import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Market } from '../core/index.rules.ts'
import { roleReads } from '../core/index.ts'
import { extensionReads, loanRead, proposalRead } from './extension.reads.ts'
import { listRecordedProposals } from './proposals.store.ts'

interface Where {
  readonly tenant: TenantDatabase
  readonly chain: Chain
  readonly market: Market
  readonly wallets: readonly Address[]
  readonly refuse: Refuse<'MARKET_STATE_UNAVAILABLE'>
}

/** All at one block. */
async function readWith({ chain, market, wallets, refuse }: Where, proposalId: bigint, loanId: bigint) {
  const { block, results } = await chain.read([
    ...extensionReads(market),
    proposalRead(market, proposalId),
    loanRead(market, loanId),
    ...roleReads(market.address, 'DEFAULT_ADMIN_ROLE', wallets),
    ...roleReads(market.address, 'ISSUER_ROLE', wallets),
  ])
  const [terms, operator, proposal, loan, ...roles] = results
  if (!terms.ok || !operator.ok || !proposal.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  const values = { terms: terms.value, operator: operator.value, proposal: proposal.value }
  return { block, ...values, loan: loan.ok ? loan.value : null, roles }
}

/** When our record did not know which loan a proposal is about, everything is read again with it. */
export async function readProposalState(where: Where, proposalId: bigint) {
  const { tenant, market } = where
  const { chainId, address } = market
  const [known] = await tenant.read((sql) => listRecordedProposals(sql, chainId, address, proposalId + 1n, 1))
  const expected = known?.proposalId === proposalId ? BigInt(String(known.proposed.loanId)) : 0n
  const state = await readWith(where, proposalId, expected)
  const loanId = BigInt(state.proposal.loanId)
  return loanId === expected ? state : readWith(where, proposalId, loanId)
}
