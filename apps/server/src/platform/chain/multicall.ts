import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  parseAbi,
  prepareEncodeFunctionData,
} from 'viem'
import type { ContractRead, ReadResult, ResultsOf } from './contract-read.ts'
import { ChainUnavailableError } from './rpc.ts'

/** The same on every chain that has it. */
export const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

const heightAbi = parseAbi(['function getBlockNumber() view returns (uint256)'])

const height = {
  target: MULTICALL3,
  allowFailure: false,
  callData: encodeFunctionData({ abi: heightAbi, functionName: 'getBlockNumber' }),
}
const aggregate = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' })

/** All reads as one call, which also asks for the height it is made at. */
export function multicall(reads: readonly ContractRead<unknown>[]): { to: Address; data: Hex } {
  const data = encodeFunctionData({
    ...aggregate,
    args: [[height, ...reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))]],
  })
  return { to: MULTICALL3, data }
}

/** The costliest of our views take 50,000 gas; nodes cap a call, at fifty million or at a few. */
export const READS_PER_CALL = 50

/** More reads than a node runs in one call: several calls, in their order. */
export function multicalls(reads: readonly ContractRead<unknown>[], perCall: number): { to: Address; data: Hex }[] {
  const count = Math.ceil(reads.length / perCall)
  return Array.from({ length: count }, (_, part) => multicall(reads.slice(part * perCall, (part + 1) * perCall)))
}

export interface Returned {
  readonly success: boolean
  readonly returnData: Hex
}

export function datedReturns(returned: Hex): { height: bigint; value: Returned[] } {
  const [first, ...rest] = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: returned })
  if (!first) throw new ChainUnavailableError('the node answered an empty multicall')
  return { height: BigInt(first.returnData), value: rest }
}

/** A call that only tells the height it is made at. */
export const heightCall = {
  call: multicall([]),
  height: (returned: Hex): bigint => datedReturns(returned).height,
}

/** An answer that cannot be understood is, like a revert, a fact about that contract; it must not spoil the other reads. */
function understood<T>(read: ContractRead<T> | undefined, returned: Hex): ReadResult<T | undefined> {
  try {
    return { ok: true, value: read?.decode(returned) }
  } catch {
    return { ok: false, revert: returned }
  }
}

export function understoodAll<const R extends readonly ContractRead<unknown>[]>(
  reads: R,
  returns: readonly Returned[],
): ResultsOf<R> {
  const results = returns.map(({ success, returnData }, index) =>
    success ? understood(reads[index], returnData) : { ok: false, revert: returnData },
  )
  return results as unknown as ResultsOf<R>
}
