import { type Address, type Hex, slice } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import { ChainUnavailableError, type RpcAnswer } from '../platform/chain/rpc.ts'

/** ERC-1967: where a proxy keeps its implementation. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** The contract itself refused, so the node did answer. */
const isReverted = (answer: RpcAnswer | undefined): boolean =>
  answer?.ok === false && (answer.fault.data !== undefined || /revert/i.test(answer.fault.message))

function answered(answer: RpcAnswer | undefined, what: string): Hex {
  if (!answer?.ok) throw new ChainUnavailableError(`${what} could not be read: ${answer?.fault.message ?? 'no answer'}`)
  return answer.value as Hex
}

export async function codeAt(chain: Chain, address: Address): Promise<Hex> {
  const [answer] = await chain.rpc.batch([{ method: 'eth_getCode', params: [address, 'latest'] }])
  return answered(answer, 'code')
}

/** What a view answers; '0x' where nothing stands or the call reverts. */
export async function callView(chain: Chain, to: Address, data: Hex): Promise<Hex> {
  const [answer] = await chain.rpc.batch([{ method: 'eth_call', params: [{ to, data }, 'latest'] }])
  return isReverted(answer) ? '0x' : answered(answer, 'a view')
}

export async function implementationBehind(chain: Chain, proxy: Address): Promise<Address> {
  const [answer] = await chain.rpc.batch([
    { method: 'eth_getStorageAt', params: [proxy, IMPLEMENTATION_SLOT, 'latest'] },
  ])
  return slice(answered(answer, 'a proxy'), 12)
}

/**
 * Is the code at an address what this creation code leaves at that very address? The node runs the constructor there once more without
 * deploying, because a contract may write its own address into its code.
 */
export async function standsAsCreated(
  chain: Chain,
  address: Address,
  { creation, from }: { readonly creation: Hex; readonly from: Address },
): Promise<boolean> {
  const inPlace = { [address]: { code: creation, state: {} } }
  const [answer] = await chain.rpc.batch([{ method: 'eth_call', params: [{ from, to: address }, 'latest', inPlace] }])
  if (isReverted(answer)) return false
  const expected = answered(answer, 'what the constructor leaves')
  return expected !== '0x' && (await codeAt(chain, address)) === expected
}
