import type { Address } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** Who added to the fund, and how much; an amount that is not named is not checked. */
export interface ExpectedTopUp {
  readonly source: Address
  readonly amount?: bigint
}

export const topUpCall = contractCall<{ amount: bigint }, ExpectedTopUp>({
  kind: 'fund',
  abi: abis.fund,
  functionName: 'topUp',
  eventName: 'FundsAdded',
  args: ({ amount }) => [amount],
  isFor: (effect, { source, amount }) =>
    effect.source === source && (amount === undefined || effect.amount === amount.toString()),
})
