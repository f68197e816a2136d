import { type Address, encodeFunctionData, erc20Abi, type Hex, isHex, numberToHex, parseAbi } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import {
  boundedAnswers,
  boundedCall,
  COSTLY_GAS,
  type Probe,
  type ProbeAnswer,
} from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { heightCall } from '../../platform/chain/multicall.ts'
import { askBetween } from '../../platform/chain/pinned.ts'
import { ChainUnavailableError, type RpcAnswer } from '../../platform/chain/rpc.ts'
import type { Market } from '../core/index.rules.ts'
import { isVerified, registerProbe, shapeOf } from '../registers/index.rules.ts'

const abi = parseAbi([
  'function identityRegistry() view returns (address)',
  'function isAuthorizedContract(address) view returns (bool)',
  'function isAgent(address) view returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function getFrozenTokens(address) view returns (uint256)',
  'function drawableFor(address) view returns (uint256)',
  'function collateralOf(address) view returns (uint256)',
])

const WORD = 32
/** Five times what a transfer of the costliest standard takes. */
const TRANSFER_GAS = 1_000_000

type Question = Exclude<(typeof abi)[number]['name'], 'identityRegistry'>

const askOf = (target: Address, functionName: Question, account: Address): Probe => ({
  target,
  data: encodeFunctionData({ abi, functionName, args: [account] }),
  maxReturn: WORD,
})

/** A transfer of the collateral token that is only tried. */
interface TriedTransfer {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

interface Questions {
  readonly market: Market
  /** Whose collateral it is. */
  readonly holder: Address
  readonly register?: { readonly address: Address; readonly accounts: readonly Address[] } | null
  readonly vaults?: readonly Address[]
  readonly transfer?: TriedTransfer | null
}

/** What a token says to a transfer; `revert` null: it answers false. No verdict at all: null. */
type TransferVerdict = { readonly accepted: true } | { readonly accepted: false; readonly revert: Hex | null } | null

/** What contracts that nobody vouches for say. Null: no answer that can be understood. */
export interface ForeignAnswers {
  readonly isAdapterAgent: boolean | null
  /** By the register of the token itself, which may have none. */
  readonly adapterVerified: boolean | null
  readonly adapterListed: boolean | null
  readonly balance: bigint | null
  readonly frozen: bigint | null
  /** What the holder has pledged in this market, over all loans. */
  readonly pledged: bigint | null
  readonly registered: readonly (boolean | null)[]
  readonly drawable: readonly (bigint | null)[]
  readonly transfer: TransferVerdict
}

const wordOf = (answer: ProbeAnswer | undefined): bigint | null =>
  answer?.outcome === 'OK' && answer.data.length === 2 + 2 * WORD ? BigInt(answer.data) : null

const flagOf = (answer: ProbeAnswer | undefined): boolean | null => {
  const word = wordOf(answer)
  return word === null ? null : word === 1n
}

/** The market makes of a silent register that nobody is verified, but it grants it more gas than is granted here. */
const verdictOf = (answer: ProbeAnswer | undefined): boolean | null =>
  answer?.outcome === 'OUT_OF_GAS' ? null : isVerified(answer)

function transferVerdict(answer: RpcAnswer | undefined): TransferVerdict {
  if (!answer) return null
  if (answer.ok) {
    const returned = answer.value as Hex
    const isYes =
      returned === '0x' || (returned.length >= 2 + 2 * WORD && BigInt(returned.slice(0, 2 + 2 * WORD)) === 1n)
    return isYes ? { accepted: true } : { accepted: false, revert: null }
  }
  const { data, message } = answer.fault
  if (typeof data === 'string' && isHex(data)) return { accepted: false, revert: data }
  return /revert/i.test(message) ? { accepted: false, revert: '0x' } : null
}

/** Everything foreign in one round trip, at the block at which the market was read. */
export async function askForeign(chain: Chain, block: Block, questions: Questions): Promise<ForeignAnswers> {
  const { market, holder, register, vaults = [], transfer } = questions
  const { collateralToken: token, adapter } = market
  const accounts = register?.accounts ?? []
  const probes: Probe[] = [
    { target: token, data: encodeFunctionData({ abi, functionName: 'identityRegistry' }), maxReturn: WORD },
    registerProbe(0, adapter),
    askOf(token, 'isAuthorizedContract', adapter),
    askOf(token, 'isAgent', adapter),
    askOf(token, 'balanceOf', holder),
    askOf(token, 'getFrozenTokens', holder),
    askOf(market.address, 'collateralOf', holder),
    ...accounts.map((account) => registerProbe(register?.address ?? account, account)),
    // A vault walks the markets that it lends to.
    ...vaults.map((vault) => ({ ...askOf(vault, 'drawableFor', market.address), gasLimit: COSTLY_GAS })),
  ]
  // A transfer that is tried does not tell the height that it is tried at.
  const [answer, transferred] = await askBetween(chain.rpc, block, heightCall, (at) => [
    { method: 'eth_call', params: [boundedCall(probes), at] },
    ...(transfer ? [{ method: 'eth_call', params: [transferCall(token, transfer), at] }] : []),
  ])
  if (!answer?.ok) throw new ChainUnavailableError('the collateral token could not be asked')
  const [registry, verified, listed, agent, balance, frozen, pledged, ...rest] = boundedAnswers(
    answer.value as Hex,
  ).value
  return {
    isAdapterAgent: flagOf(agent),
    adapterVerified: (wordOf(registry) ?? 0n) !== 0n && shapeOf(verified).usable ? isVerified(verified) : null,
    adapterListed: flagOf(listed),
    balance: wordOf(balance),
    frozen: wordOf(frozen),
    pledged: wordOf(pledged),
    registered: rest.slice(0, accounts.length).map(verdictOf),
    drawable: rest.slice(accounts.length).map(wordOf),
    transfer: transferVerdict(transferred),
  }
}

function transferCall(token: Address, { from, to, amount }: TriedTransfer) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { from, to: token, data, gas: numberToHex(TRANSFER_GAS) }
}
