import { type Address, type Hex, zeroAddress } from 'viem'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { decodeRevert } from '../../platform/chain/selectors.ts'
import { abis } from '../contracts.ts'
import { explainLending } from '../reverts/index.ts'

/** A refusal in the oracle's own words; null: whatever answered, it was no oracle. */
export function refusalOf(revert: Hex) {
  try {
    return decodeRevert(abis.oracle, revert)
  } catch {
    return null
  }
}

/** The oracle's verdict on a signed price. A signer of zero: it was refused before the signature was looked at. */
export function verdict(result: ReadResult<Address>) {
  if (result.ok) return { valid: true, signer: result.value.toLowerCase() as Address, error: null } as const
  const refused = refusalOf(result.revert)
  if (!refused) return unasked
  const signer = refused.errorName === 'NotSigner' ? (refused.args[0].toLowerCase() as Address) : zeroAddress
  return { valid: false, signer, error: explainLending(result.revert).message } as const
}

/** The verdict when the oracle could not be asked. */
export const unasked = { valid: null, signer: null, error: 'The oracle could not be read from the chain.' } as const
