import { stockTokenAbi } from '@tallystick/abi'
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

interface TokenAnswers {
  readonly paused: ReadResult<boolean>
  /** Of the sender, then of the receiver. */
  readonly frozen: readonly ReadResult<boolean>[]
  readonly registry: ReadResult<Address>
  readonly balance: ReadResult<bigint>
  readonly locked: ReadResult<bigint>
}

/** Why a token does not let something through; `rule`: what the token itself calls it, if it says. Code 0: it does. */
interface Restriction {
  readonly code: number
  readonly rule: string | null
}

/** Our own stocks name the rule; what another token would answer to this question nobody knows, so it is only believed in range. */
function namedRestriction(answer: ReadResult<readonly [number, string]>): Restriction | null {
  if (!answer.ok) return null
  const [code, rule] = answer.value
  return code >= 1 && code <= 7 && /^[A-Z_]{1,64}$/.test(rule) ? { code, rule } : null
}

/** Who or what stands in the way, in the numbers that tokens with rules use. */
async function restrictionOf(chain: Chain, delivery: Delivery): Promise<Restriction> {
  const { token, from, to, amount } = delivery
  const { results } = await readNamed(chain, {
    named: contractRead(token, stockTokenAbi, 'canTransfer', [from, to, amount]),
    paused: contractRead(token, tokenAbi, 'paused', []),
    frozen: [from, to].map((holder) => contractRead(token, tokenAbi, 'isFrozen', [holder])),
    registry: contractRead(token, tokenAbi, 'identityRegistry', []),
    balance: contractRead(token, tokenAbi, 'balanceOf', [from]),
    locked: contractRead(token, tokenAbi, 'getFrozenTokens', [from]),
  })
  return namedRestriction(results.named) ?? { code: await codeOf(chain, delivery, results), rule: null }
}

/** The same from what every token of the ERC-3643 kind answers. */
async function codeOf(chain: Chain, { from, to, amount }: Delivery, answers: TokenAnswers): Promise<number> {
  const { paused, frozen, registry, balance, locked } = answers
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

export async function deliveryRestriction(chain: Chain, delivery: Delivery): Promise<Restriction> {
  return (await isRefused(chain, delivery)) ? restrictionOf(chain, delivery) : { code: 0, rule: null }
}
