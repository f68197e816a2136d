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
import type { ContractRead, ReadResult } from './contract-read.ts'
import { ChainUnavailableError, type Rpc, type RpcAnswer, type RpcCall } from './rpc.ts'

/** The same on every chain that has it. */
export const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

const heightAbi = parseAbi(['function getBlockNumber() view returns (uint256)'])

type Values<R extends readonly ContractRead<unknown>[]> = {
  [K in keyof R]: R[K] extends ContractRead<infer T> ? ReadResult<T> : never
}

export interface Chain {
  readonly chainId: number
  readonly rpc: Rpc
  /** All reads at one block in one round trip. A second one, pinned to the block's hash, only when a block arrived in between. */
  read<const R extends readonly ContractRead<unknown>[]>(reads: R): Promise<{ block: Block; results: Values<R> }>
  /** An `eth_call` of any shape at one block, dated the same way; `blockNumberIn` finds the height in what came back. */
  callAtOneBlock(
    call: Record<string, unknown>,
    blockNumberIn: (returned: Hex) => bigint,
  ): Promise<{ block: Block; returned: Hex }>
  latest(): Promise<Block>
}

function returnedBy(answer: RpcAnswer | undefined): Hex {
  if (!answer?.ok) throw new ChainUnavailableError(`a chain read failed: ${answer?.fault.message ?? 'no answer'}`)
  return answer.value as Hex
}

export function createChain(chainId: number, rpc: Rpc): Chain {
  async function callAtOneBlock(call: Record<string, unknown>, blockNumberIn: (returned: Hex) => bigint) {
    const ask = (at: unknown): RpcCall => ({ method: 'eth_call', params: [call, at] })
    const [head, answer] = await rpc.batch([getBlock('latest'), ask('latest')])
    const block = asBlock(head)
    if (!block) throw new ChainUnavailableError('the node has no latest block')
    const returned = returnedBy(answer)
    if (blockNumberIn(returned) === block.number) return { block, returned }
    const [again] = await rpc.batch([ask({ blockHash: block.hash, requireCanonical: true })])
    return { block, returned: returnedBy(again) }
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
      const decode = (returned: Hex) =>
        decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: returned })
      const { block, returned } = await callAtOneBlock({ to: MULTICALL3, data }, (bytes) => {
        const word = decode(bytes)[0]?.returnData
        if (!word) throw new ChainUnavailableError('the node answered an empty multicall')
        return BigInt(word)
      })
      const results = decode(returned)
        .slice(1)
        .map(({ success, returnData }, index) =>
          success ? { ok: true, value: reads[index]?.decode(returnData) } : { ok: false, revert: returnData },
        )
      return { block, results: results as Values<typeof reads> }
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
