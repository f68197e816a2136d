import { boundedReaderBytecode, iBoundedReaderAbi } from '@tallystick/abi'
import {
  type Address,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  zeroAddress,
} from 'viem'
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
  /** What the answer may cost; `PLAIN_GAS` when not given. */
  readonly gasLimit?: number
}

/** For what a token keeps in a few words of storage, behind whatever proxies: ten times what such an answer takes. */
const PLAIN_GAS = 150_000
/** For an answer that checks signatures or walks a list. */
export const COSTLY_GAS = 500_000

const outcomes = ['OK', 'REVERTED', 'OUT_OF_GAS', 'EMPTY', 'TOO_LARGE', 'NO_CODE', 'SKIPPED', 'STARVED'] as const
export type ProbeOutcome = Exclude<(typeof outcomes)[number], 'STARVED'>

export interface ProbeAnswer {
  readonly outcome: ProbeOutcome
  readonly target: Address
  readonly codeSize: bigint
  readonly data: Hex
}

/** What the reader itself sets aside, so that it can tell of every probe even when each one burns all it gets. */
const OWN_GAS = { once: 60_000, perProbe: 12_000, perByte: 240, bytesOnce: 160, bytesPerProbe: 256 }

function gasFor(reads: readonly { gasLimit: number; maxReturn: number }[]): number {
  const { once, perProbe, perByte, bytesOnce, bytesPerProbe } = OWN_GAS
  const bytes = reads.reduce((sum, { maxReturn }) => sum + bytesPerProbe + Math.ceil(maxReturn / 32) * 32, bytesOnce)
  const granted = reads.reduce((sum, { gasLimit }) => sum + gasLimit, 0)
  // A call passes on 63 of 64 parts of its gas.
  return Math.ceil(((once + perByte * bytes + granted + perProbe * reads.length) * 64) / 63)
}

/**
 * The call that makes all probes. The reader is not deployed: its constructor answers instead of becoming a contract. It brings its gas:
 * a node gives a call that names none as much as it likes, and a hostile contract burns all of that.
 */
export function boundedCall(probes: readonly Probe[]): { data: Hex; gas: Hex } {
  const reads = probes.map(({ target, data, maxReturn, gasLimit = PLAIN_GAS }) => ({
    target: typeof target === 'number' ? zeroAddress : target,
    targetFrom: typeof target === 'number' ? target + 1 : 0,
    gasLimit,
    maxReturn,
    callData: data,
  }))
  const call = encodeFunctionData({ abi: iBoundedReaderAbi, functionName: 'read', args: [reads] })
  // The constructor takes what `read` would take: the same encoding without the selector.
  const data = concat([boundedReaderBytecode, `0x${call.slice(10)}`])
  // Creation: its price, and that of its code, byte by byte.
  const intrinsic = 60_000 + 20 * ((data.length - 2) / 2)
  return { data, gas: numberToHex(gasFor(reads) + intrinsic) }
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
