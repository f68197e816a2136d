import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import type { UnsignedCall } from '../platform/chain/simulate.ts'
import { forecast, transactionOf } from '../platform/chain/unsigned-call.ts'
import type { Clock } from '../platform/clock.ts'
import { explainLending } from './reverts/index.ts'

/** One transaction of several, with what it is for. */
export interface PlannedStep {
  readonly call: UnsignedCall
  readonly functionName: string
  readonly description: string
}

/** Lets a contract take exactly this much of a token. */
export function approveStep(token: Address, spender: Address, amount: bigint, description: string): PlannedStep {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  return { call: { to: token, data, value: 0n }, functionName: 'approve', description }
}

/** What would happen if one signer sent the calls of lending now, in order. */
export const simulateInOrder = (chain: Chain, signer: Address | null, calls: readonly UnsignedCall[], clock: Clock) =>
  forecast(chain, signer, calls, { clock, explain: explainLending })

/** Several transactions of one signer, simulated in order. A failing simulation refuses nothing. */
export async function buildSteps(chain: Chain, signer: Address | null, planned: readonly PlannedStep[], clock: Clock) {
  const simulation = await simulateInOrder(
    chain,
    signer,
    planned.map(({ call }) => call),
    clock,
  )
  const steps = planned.map(({ call, functionName, description }) => ({
    action: 'SIGN_TRANSACTION' as const,
    transaction: transactionOf(chain, call),
    functionName,
    description,
  }))
  return {
    built: { action: 'SIGN_TRANSACTIONS' as const, steps, simulation },
    /** For the file of a multi-signature wallet. */
    calls: steps.map(({ transaction, description }) => ({ ...transaction, description })),
  }
}
