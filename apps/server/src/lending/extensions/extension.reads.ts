import type { ContractFunctionReturnType } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

export type TermsNow = ContractFunctionReturnType<typeof abis.market, 'view', 'termConfig'>
export type LoanNow = ContractFunctionReturnType<typeof abis.market, 'view', 'loan'>
export type ProposalNow = ContractFunctionReturnType<typeof abis.market, 'view', 'extension'>

export const loanRead = ({ address }: Market, loanId: bigint) => contractRead(address, abis.market, 'loan', [loanId])

export const proposalRead = ({ address }: Market, proposalId: bigint) =>
  contractRead(address, abis.market, 'extension', [proposalId])

/** What decides about every extension of a market. */
export const extensionReads = ({ address }: Market) =>
  [
    contractRead(address, abis.market, 'termConfig', []),
    contractRead(address, abis.market, 'operatorFeeRecipient', []),
  ] as const

/** How many proposals and loans there are. */
export const countersRead = ({ address }: Market) => contractRead(address, abis.market, 'pool', [])
