import { type Address, encodeFunctionData, type Hex, hashMessage, parseAbi } from 'viem'
import { COSTLY_GAS, probe } from '../platform/chain/bounded-reader.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { lowered } from '../platform/values/address.rules.ts'
import { signerOf } from '../platform/values/signer.rules.ts'

const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const MAGIC_WORD = `0x1626ba7e${'0'.repeat(56)}`

/** How the wallet proved that it signed the text, or null when it did not. Throws when the chain cannot be read. */
export async function verifyWalletSignature(
  chain: Chain,
  address: Address,
  message: string,
  signature: Hex,
): Promise<'EIP191' | 'ERC1271' | null> {
  const hash = hashMessage(message)
  // Anything but 65 bytes with a point on the curve may still be a contract wallet's.
  if ((await signerOf(hash, signature)) === lowered(address)) return 'EIP191'
  const data = encodeFunctionData({ abi: erc1271, functionName: 'isValidSignature', args: [hash, signature] })
  const { answers } = await probe(chain, [{ target: address, data, maxReturn: 32, gasLimit: COSTLY_GAS }])
  const [answer] = answers
  return answer?.outcome === 'OK' && answer.data === MAGIC_WORD ? 'ERC1271' : null
}
