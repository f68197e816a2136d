import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, parseAbi, zeroAddress } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'

const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function getFrozenTokens(address) view returns (uint256)',
  'function isFrozen(address) view returns (bool)',
  'function paused() view returns (bool)',
  'function identityRegistry() view returns (address)',
])
const registryAbi = parseAbi(['function isVerified(address) view returns (bool)'])

export interface Delivery {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

/** Would the token let it happen? Asked by doing it, without sending it: every token answers that, whatever its rules. */
async function isRefused(chain: Chain, { token, from, to, amount }: Delivery): Promise<boolean> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  const [answer] = await chain.rpc.batch([{ method: 'eth_call', params: [{ from, to: token, data }, 'latest'] }])
  if (!answer) throw new ChainUnavailableError('a transfer could not be tried')
  if (answer.ok) return answer.value !== '0x' && hexToBigInt(answer.value as Hex) === 0n
  const { data: revert, message } = answer.fault
  if (revert === undefined && !/revert/i.test(message))
    throw new ChainUnavailableError(`a transfer could not be tried: ${message}`)
  return true
}

const isTrue = (result: ReadResult<boolean> | undefined) => result?.ok === true && result.value
const isFalse = (result: ReadResult<boolean> | undefined) => result?.ok === true && !result.value
const numberOf = (result: ReadResult<bigint>) => (result.ok ? result.value : null)

/** Who or what stands in the way, in the numbers that tokens with rules use. */
async function restrictionCode(chain: Chain, { token, from, to, amount }: Delivery): Promise<number> {
  const { results } = await readNamed(chain, {
    paused: contractRead(token, tokenAbi, 'paused', []),
    frozen: [from, to].map((holder) => contractRead(token, tokenAbi, 'isFrozen', [holder])),
    registry: contractRead(token, tokenAbi, 'identityRegistry', []),
    balance: contractRead(token, tokenAbi, 'balanceOf', [from]),
    locked: contractRead(token, tokenAbi, 'getFrozenTokens', [from]),
  })
  const { paused, frozen, registry, balance, locked } = results
  if (isTrue(paused)) return 6
  if (isTrue(frozen[0])) return 3
  if (isTrue(frozen[1])) return 4
  const held = numberOf(balance)
  if (held !== null && held - (numberOf(locked) ?? 0n) < amount) return 7
  if (registry.ok && registry.value !== zeroAddress) {
    const verified = await chain.read(
      [from, to].map((holder) => contractRead(registry.value, registryAbi, 'isVerified', [holder])),
    )
    if (isFalse(verified.results[1])) return 2
    if (isFalse(verified.results[0])) return 1
  }
  return 5
}

/** 0: the token lets it through; else why it does not. */
export async function deliveryCode(chain: Chain, delivery: Delivery): Promise<number> {
  return (await isRefused(chain, delivery)) ? restrictionCode(chain, delivery) : 0
}
