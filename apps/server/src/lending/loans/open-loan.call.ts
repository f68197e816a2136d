import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import type { SignedPrice } from '../oracle/oracle.rules.ts'

interface OpenLoanArgs {
  readonly collateral: bigint
  readonly amount: bigint
  /** Null: the borrower. */
  readonly payee: Address | null
  readonly signed: SignedPrice
}

/** Whose loan is meant; null: anybody's. */
interface ExpectedLoan {
  readonly borrower: Address | null
}

export const openLoanCall = contractCall<OpenLoanArgs, ExpectedLoan>({
  kind: 'market',
  abi: abis.market,
  functionName: 'openLoan',
  eventName: 'LoanOpened',
  args: ({ collateral, amount, payee, signed }) =>
    payee ? [collateral, amount, payee, signed] : [collateral, amount, signed],
  isFor: (effect, { borrower }) => borrower === null || effect.borrower === borrower,
})
