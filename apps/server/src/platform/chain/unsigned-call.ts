import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { Clock } from '../clock.ts'
import type { CallPair } from './call-pair.ts'
import type { Chain } from './chain.ts'
import type { ExplainRevert } from './reverts.ts'
import { simulate, type UnsignedCall } from './simulate.ts'

/** What the caller signs. No call of this product carries ether. */
export const transactionOf = ({ chainId }: Chain, { to, data }: UnsignedCall) => ({
  to,
  data,
  value: '0' as const,
  chainId,
})

/** What would happen if one signer sent the calls now, in order; as answers show it. */
export async function forecast(
  chain: Chain,
  signer: Address | null,
  calls: readonly UnsignedCall[],
  options: { clock: Clock; explain: ExplainRevert },
) {
  const simulation = await simulate(chain, signer, calls, options)
  return { ...simulation, gasUsed: simulation.gasUsed?.toString() ?? null }
}

/** A call that somebody shall sign. */
export interface PlannedCall {
  readonly call: UnsignedCall
  readonly functionName: string
}

/** A call of a contract with its arguments. */
export const plannedCall = <Args>(
  { prepare, functionName }: Pick<CallPair<Args, object, never>, 'prepare' | 'functionName'>,
  target: Address,
  args: Args,
): PlannedCall => ({ call: prepare(target, args), functionName })

/** One transaction of several, with what it is for. */
export interface PlannedStep extends PlannedCall {
  readonly description: string
}

/** One call to sign, and what would happen if it were sent now. A failing simulation refuses nothing. */
export async function presentCall(
  chain: Chain,
  { call, functionName }: PlannedCall,
  signer: Address | null,
  options: { clock: Clock; explain: ExplainRevert },
) {
  return {
    action: 'SIGN_TRANSACTION' as const,
    transaction: transactionOf(chain, call),
    functionName,
    simulation: await forecast(chain, signer, [call], options),
  }
}

/** The same with `to` and `data` in the transaction, and all four fields beside it. */
export function besideTransaction<B extends { readonly transaction: ReturnType<typeof transactionOf> }>({
  transaction,
  ...rest
}: B) {
  const { to, data, value, chainId } = transaction
  return { ...rest, transaction: { to, data }, to, data, value, chainId }
}

/** Lets a contract take exactly this much of a token. */
export function approveStep(token: Address, spender: Address, amount: bigint, description: string): PlannedStep {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  return { call: { to: token, data, value: 0n }, functionName: 'approve', description }
}

/** Several transactions of one signer, simulated in order. A failing simulation refuses nothing. */
export async function presentSteps(
  chain: Chain,
  planned: readonly PlannedStep[],
  signer: Address | null,
  options: { clock: Clock; explain: ExplainRevert },
) {
  const simulation = await forecast(
    chain,
    signer,
    planned.map(({ call }) => call),
    options,
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
