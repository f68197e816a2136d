import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** Which withdrawal is meant; what is not named is not checked. */
export interface ExpectedWithdrawal {
  readonly recipient?: Address
  readonly amount?: bigint
}

export const withdrawCall = contractCall<{ recipient: Address; amount: bigint }, ExpectedWithdrawal>({
  kind: 'fund',
  abi: abis.fund,
  functionName: 'emergencyWithdraw',
  eventName: 'FundsWithdrawn',
  args: ({ recipient, amount }) => [recipient, amount],
  isFor: (effect, { recipient, amount }) =>
    (recipient === undefined || effect.to === recipient) &&
    (amount === undefined || effect.amount === amount.toString()),
})
