import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** What the event must say; what is undefined is not checked. */
type Expected = Readonly<Record<string, string | undefined>>
export type VaultCall = CallPair<readonly unknown[], Effect, Expected>

const vaultCall = (functionName: string, eventName: string): VaultCall =>
  contractCall<readonly unknown[], Expected>({
    kind: 'tradingVault',
    abi: abis.tradingVault,
    functionName,
    eventName,
    args: (values) => values,
    isCallFor: ([, amount], expected) => expected.amount === undefined || String(amount) === expected.amount,
    // Some events tell the sum after the call instead of what it added.
    isFor: (effect, expected) =>
      Object.entries(expected).every(
        ([name, value]) => value === undefined || !(name in effect) || effect[name] === value,
      ),
  })

export const deposit = vaultCall('deposit', 'Deposited')
export const depositAndCommit = vaultCall('depositAndCommit', 'Committed')
export const commit = vaultCall('commit', 'Committed')
export const requestWithdrawal = vaultCall('requestWithdrawal', 'WithdrawalRequested')
export const cancelWithdrawal = vaultCall('cancelWithdrawalRequest', 'WithdrawalRequestCancelled')
export const withdraw = vaultCall('withdraw', 'Withdrawn')
