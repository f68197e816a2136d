import { type Address, zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** Both adapters pass the question on to the collateral token. */
export const successorRead = ({ adapter }: Market, wallet: Address) =>
  contractRead(adapter, abis.custodyAdapter, 'successorOf', [wallet])

/** An adapter from before the question was asked does not answer: then nobody took the place either. */
export function requireSuccessor(answer: ReadResult<Address>, refuse: Refuse<'NO_SUCCESSOR'>): Address {
  if (!answer.ok || answer.value === zeroAddress) throw refuse('NO_SUCCESSOR')
  return lowered(answer.value)
}
