import { boundedReaderBytecode, iBoundedReaderAbi } from '@tallystick/abi'
import { type Address, concat, decodeFunctionResult, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import type { Block } from './block.ts'
import type { Chain } from './chain.ts'
import { ChainUnavailableError } from './rpc.ts'

/** One bounded call to a contract nobody vouches for. */
export interface Probe {
  /** An address, or the index of an earlier probe whose answer is the address to ask. */
  readonly target: Address | number
  readonly data: Hex
  /** The longest answer worth reading, in bytes. All answers together must fit the size of one contract's code. */
  readonly maxReturn: number
}

const outcomes = ['OK', 'REVERTED', 'OUT_OF_GAS', 'EMPTY', 'TOO_LARGE', 'NO_CODE', 'SKIPPED', 'STARVED'] as const
export type ProbeOutcome = Exclude<(typeof outcomes)[number], 'STARVED'>

export interface ProbeAnswer {
  readonly outcome: ProbeOutcome
  readonly target: Address
  readonly codeSize: bigint
  readonly data: Hex
}

const GAS_PER_PROBE = 500_000

/** The call that makes all probes. The reader is not deployed: its constructor answers instead of becoming a contract. */
export function boundedCall(probes: readonly Probe[]): { data: Hex } {
  const reads = probes.map(({ target, data, maxReturn }) => ({
    target: typeof target === 'number' ? zeroAddress : target,
    targetFrom: typeof target === 'number' ? target + 1 : 0,
    gasLimit: GAS_PER_PROBE,
    maxReturn,
    callData: data,
  }))
  const call = encodeFunctionData({ abi: iBoundedReaderAbi, functionName: 'read', args: [reads] })
  // The constructor takes what `read` would take: the same encoding without the selector.
  return { data: concat([boundedReaderBytecode, `0x${call.slice(10)}`]) }
}

/** What that call returned, and the height it was made at. */
export function boundedAnswers(returned: Hex): { height: bigint; value: ProbeAnswer[] } {
  const [height, , , answers] = decodeFunctionResult({ abi: iBoundedReaderAbi, functionName: 'read', data: returned })
  const value = answers.map(({ outcome: index, target, codeSize, data }) => {
    const outcome = outcomes[index]
    if (outcome === undefined || outcome === 'STARVED')
      throw new ChainUnavailableError('the node gave a bounded read too little gas to finish')
    return { outcome, target, codeSize, data }
  })
  return { height, value }
}

/** Asks contracts that may be hostile: every call is capped in gas and in the bytes it may answer, so none can disturb another. */
export async function probe(chain: Chain, probes: readonly Probe[]): Promise<{ block: Block; answers: ProbeAnswer[] }> {
  const { block, value } = await chain.callAtOneBlock(boundedCall(probes), boundedAnswers)
  return { block, answers: value }
}
