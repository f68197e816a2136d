import { type Address, type Hex, hexToBigInt, slice, toFunctionSelector } from 'viem'
import type { Block } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { heightCall } from '../platform/chain/multicall.ts'
import { askBetween } from '../platform/chain/pinned.ts'
import { ChainUnavailableError, type RpcAnswer, type RpcCall } from '../platform/chain/rpc.ts'

/** ERC-1967: where a proxy keeps its implementation, or the beacon that names it. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
/** ERC-1167, as it was first written and with the opcode that pushes a zero. */
const CLONES = [/^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4/, /^0x365f5f375f5f365f73([0-9a-f]{40})5af4/]
const IMPLEMENTATION = toFunctionSelector('implementation()')
/** Of a beacon that nobody vouches for. */
const BEACON_GAS = '0x249f0'

function answered(answer: RpcAnswer | undefined): Hex {
  if (answer?.ok && typeof answer.value === 'string') return answer.value as Hex
  throw new ChainUnavailableError('the code of a token could not be read')
}

/** The address in a word; null for none. */
const addressIn = (word: Hex): Address | null =>
  word.length === 66 && hexToBigInt(word) !== 0n ? slice(word, 12) : null

/** The code that runs when a token is called: its own, and what stands behind it where it is a proxy or a clone. */
export async function readTokenCode(chain: Chain, block: Block, token: Address): Promise<Hex[]> {
  const ask = (questions: (at: object) => RpcCall[]) => askBetween(chain.rpc, block, heightCall, questions)
  const codeOf = (address: Address, at: object) => ({ method: 'eth_getCode', params: [address, at] })
  const wordOf = (slot: Hex, at: object) => ({ method: 'eth_getStorageAt', params: [token, slot, at] })
  const first = await ask((at) => [codeOf(token, at), wordOf(IMPLEMENTATION_SLOT, at), wordOf(BEACON_SLOT, at)])
  const own = answered(first[0])
  const cloned = CLONES.map((form) => form.exec(own)?.[1]).find((address) => address !== undefined)
  const beacon = addressIn(answered(first[2]))
  async function named(): Promise<Address | null> {
    if (!beacon) return null
    const call = { to: beacon, data: IMPLEMENTATION, gas: BEACON_GAS }
    const [answer] = await ask((at) => [{ method: 'eth_call', params: [call, at] }])
    // A beacon that reverts is a fact about the token: nothing stands behind it.
    return answer?.ok ? addressIn(answer.value as Hex) : null
  }
  const behind = cloned ? (`0x${cloned}` as Address) : (addressIn(answered(first[1])) ?? (await named()))
  if (!behind) return [own]
  const [code] = await ask((at) => [codeOf(behind, at)])
  return [own, answered(code)]
}
