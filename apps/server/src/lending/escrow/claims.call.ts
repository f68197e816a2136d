import { type Address, encodeFunctionData } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import { abis } from '../contracts.ts'

type Nothing = Record<string, never>

/** Whoever signs it gets his own surplus; the call names nobody. */
export const claimSurplusCall = contractCall<Nothing, Nothing>({
  kind: 'market',
  abi: abis.market,
  functionName: 'claimSurplus',
  eventName: 'SurplusClaimed',
  args: () => [],
  isFor: () => true,
})

/** The same for escrowed collateral. */
export const claimEscrowedCollateral = (adapter: Address): UnsignedCall => ({
  to: adapter,
  data: encodeFunctionData({ abi: abis.custodyAdapter, functionName: 'claimEscrowedCollateral' }),
  value: 0n,
})
