import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToNumber,
  multicall3Abi,
  parseAbi,
} from 'viem'
import { asBlock, type Block, getBlock } from './block.ts'
import type { ContractRead, ReadResult, ResultsOf } from './contract-read.ts'
import { ChainUnavailableError, type Rpc, type RpcAnswer, type RpcCall } from './rpc.ts'

/** The same on every chain that has it. */
export const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

const heightAbi = parseAbi(['function getBlockNumber() view returns (uint256)'])

/** A decoded answer and the height it was made at. */
export interface Dated<T> {
  readonly height: bigint
  readonly value: T
}

export interface Chain {
  readonly chainId: number
  readonly rpc: Rpc
  /** All reads at one block in one round trip. A second one, pinned to the block's hash, only when a block arrived in between. */
  read<const R extends readonly ContractRead<unknown>[]>(reads: R): Promise<{ block: Block; results: ResultsOf<R> }>
  /** An `eth_call` of any shape at one block, dated the same way: what comes back must tell the height it was made at. */
  callAtOneBlock<T>(
    call: Record<string, unknown>,
    decode: (returned: Hex) => Dated<T>,
  ): Promise<{ block: Block; value: T }>
  latest(): Promise<Block>
}

function returnedBy(answer: RpcAnswer | undefined): Hex {
  if (!answer?.ok) throw new ChainUnavailableError(`a chain read failed: ${answer?.fault.message ?? 'no answer'}`)
  // Every call made here answers something: nothing means that the contract asked is not on this chain.
  if (answer.value === '0x') throw new ChainUnavailableError('a chain read was answered with nothing')
  return answer.value as Hex
}

/** An answer that cannot be understood is, like a revert, a fact about that contract; it must not spoil the other reads. */
function understood<T>(read: ContractRead<T> | undefined, returned: Hex): ReadResult<T | undefined> {
  try {
    return { ok: true, value: read?.decode(returned) }
  } catch {
    return { ok: false, revert: returned }
  }
}

export function createChain(chainId: number, rpc: Rpc): Chain {
  async function callAtOneBlock<T>(call: Record<string, unknown>, decode: (returned: Hex) => Dated<T>) {
    const ask = (at: unknown): RpcCall => ({ method: 'eth_call', params: [call, at] })
    const [head, answer] = await rpc.batch([getBlock('latest'), ask('latest')])
    const block = asBlock(head)
    if (!block) throw new ChainUnavailableError('the node has no latest block')
    const first = decode(returnedBy(answer))
    if (first.height === block.number) return { block, value: first.value }
    const [again] = await rpc.batch([ask({ blockHash: block.hash, requireCanonical: true })])
    return { block, value: decode(returnedBy(again)).value }
  }

  return {
    chainId,
    rpc,
    callAtOneBlock,
    async read(reads) {
      const height = {
        target: MULTICALL3,
        allowFailure: false,
        callData: encodeFunctionData({ abi: heightAbi, functionName: 'getBlockNumber' }),
      }
      const data = encodeFunctionData({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        args: [[height, ...reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))]],
      })
      const { block, value } = await callAtOneBlock({ to: MULTICALL3, data }, (returned) => {
        const [first, ...rest] = decodeFunctionResult({
          abi: multicall3Abi,
          functionName: 'aggregate3',
          data: returned,
        })
        if (!first) throw new ChainUnavailableError('the node answered an empty multicall')
        return { height: BigInt(first.returnData), value: rest }
      })
      const results = value.map(({ success, returnData }, index) =>
        success ? understood(reads[index], returnData) : { ok: false, revert: returnData },
      )
      return { block, results: results as ResultsOf<typeof reads> }
    },
    async latest() {
      const [head] = await rpc.batch([getBlock('latest')])
      const block = asBlock(head)
      if (!block) throw new ChainUnavailableError('the node has no latest block')
      return block
    },
  }
}

/** Which chain a node serves. */
export async function askChainId(rpc: Rpc): Promise<number> {
  const [answer] = await rpc.batch([{ method: 'eth_chainId', params: [] }])
  return hexToNumber(returnedBy(answer))
}
