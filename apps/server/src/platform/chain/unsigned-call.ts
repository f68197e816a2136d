import type { Address } from 'viem'
import type { Clock } from '../clock.ts'
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

/** One call to sign, and what would happen if it were sent now. A failing simulation refuses nothing. */
export async function presentCall(
  chain: Chain,
  { call, functionName }: { readonly call: UnsignedCall; readonly functionName: string },
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
