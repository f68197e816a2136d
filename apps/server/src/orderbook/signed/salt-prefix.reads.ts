import { signedOrderSettlementAbi } from '@tallystick/abi'
import { type Address, parseAbi } from 'viem'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import type { SaltPrefix } from './salt-prefix.rules.ts'

/** Both custody contracts keep the books of signed orders in the same words. */
const abi = signedOrderSettlementAbi
/** Contracts of the generation before ask for a prefix for the token alone. */
const earlierAbi = parseAbi(['function saltPrefix(address token) view returns (bytes4)'])

/** How a salt has to begin: the question as both generations of the contracts understand it. */
export const saltPrefixReads = (custody: Address, token: Address, quote: Address) =>
  [
    contractRead(custody, abi, 'saltPrefix', [token, quote]),
    contractRead(custody, earlierAbi, 'saltPrefix', [token]),
  ] as const

/** The answer of the generation that the contract is of; undefined: of none. */
export function saltPrefixOf(answers: readonly ReadResult<unknown>[]): SaltPrefix | undefined {
  const understood = answers.find(({ ok }) => ok)
  return understood?.ok ? (understood.value as SaltPrefix) : undefined
}
