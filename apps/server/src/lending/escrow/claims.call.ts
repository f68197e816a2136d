import { type Address, encodeFunctionData } from 'viem'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import { abis } from '../contracts.ts'

/** Whoever signs it gets their own collateral; the call names nobody. */
export const claimEscrowedCollateral = (adapter: Address): UnsignedCall => ({
  to: adapter,
  data: encodeFunctionData({ abi: abis.custodyAdapter, functionName: 'claimEscrowedCollateral' }),
  value: 0n,
})
