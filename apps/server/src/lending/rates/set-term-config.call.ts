import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export interface TermArgs {
  readonly maxLoanDuration: number
  readonly gracePeriod: number
  readonly terminalDueAt: number
  readonly termPenaltyBps: number
}

export const setTermConfigCall = contractCall<TermArgs, null>({
  kind: 'market',
  abi: abis.market,
  functionName: 'setTermConfig',
  eventName: 'TermConfigUpdated',
  args: (terms) =>
    [terms.maxLoanDuration, terms.gracePeriod, terms.terminalDueAt, terms.termPenaltyBps].map((one) => BigInt(one)),
  isFor: () => true,
})
