import { type Address, type Hex, hexToNumber } from 'viem'
import { asBlock, type Block, getBlock } from './block.ts'
import type { ContractRead, ResultsOf } from './contract-read.ts'
import { datedReturns, heightCall, multicall, multicalls, READS_PER_CALL, understoodAll } from './multicall.ts'
import { askBetween, callAt, type Dated, returnedBy } from './pinned.ts'
import { ChainUnavailableError, type Rpc, type RpcAnswer, type RpcCall } from './rpc.ts'

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
  /** The same, and storage slots of any contract, in the same round trip. */
  readWithSlots<const R extends readonly ContractRead<unknown>[]>(
    reads: R,
    slots: readonly StorageSlot[],
  ): Promise<{ block: Block; results: ResultsOf<R>; slots: (Hex | null)[] }>
  latest(): Promise<Block>
}

export interface StorageSlot {
  readonly address: Address
  readonly slot: Hex
}

/** The word of a storage slot; null when the node did not give it. */
function wordOf(answer: RpcAnswer | undefined): Hex | null {
  return answer?.ok && typeof answer.value === 'string' ? (answer.value as Hex) : null
}

export function createChain(chainId: number, rpc: Rpc): Chain {
  async function callAtOneBlock<T>(call: Record<string, unknown>, decode: (returned: Hex) => Dated<T>) {
    const ask = (at: unknown): RpcCall => ({ method: 'eth_call', params: [call, at] })
    const [head, answer] = await rpc.batch([getBlock('latest'), ask('latest')])
    const block = asBlock(head)
    if (!block) throw new ChainUnavailableError('the node has no latest block')
    const first = decode(returnedBy(answer))
    if (first.height === block.number) return { block, value: first.value }
    const [again] = await callAt(rpc, block, [call], (pinned) => decode(returnedBy(pinned)))
    return { block, value: again as T }
  }

  /** More reads than a node runs in one call: several calls of the same round trip. */
  async function readInParts(reads: readonly ContractRead<unknown>[]) {
    const calls = multicalls(reads, READS_PER_CALL)
    const ask = calls.map((call): RpcCall => ({ method: 'eth_call', params: [call, 'latest'] }))
    const answered = (answer: RpcAnswer | undefined) => datedReturns(returnedBy(answer))
    const [head, ...answers] = await rpc.batch([getBlock('latest'), ...ask])
    const block = asBlock(head)
    if (!block) throw new ChainUnavailableError('the node has no latest block')
    const first = answers.map(answered)
    const isOneBlock = first.every(({ height }) => height === block.number)
    const all = isOneBlock ? first.map(({ value }) => value) : await callAt(rpc, block, calls, answered)
    return { block, value: all.flat() }
  }

  return {
    chainId,
    rpc,
    callAtOneBlock,
    async read(reads) {
      const { block, value } =
        reads.length > READS_PER_CALL ? await readInParts(reads) : await callAtOneBlock(multicall(reads), datedReturns)
      return { block, results: understoodAll(reads, value) }
    },
    async readWithSlots(reads, slots) {
      const ask = (at: unknown): RpcCall[] => [
        { method: 'eth_call', params: [multicall(reads), at] },
        ...slots.map(({ address, slot }) => ({ method: 'eth_getStorageAt', params: [address, slot, at] })),
      ]
      const [head, ...rest] = await rpc.batch([getBlock('latest'), ...ask('latest'), getBlock('latest')])
      const block = asBlock(head)
      if (!block) throw new ChainUnavailableError('the node has no latest block')
      // Storage does not tell its height: only when no block arrived meanwhile is everything of this one.
      const { height } = datedReturns(returnedBy(rest[0]))
      const unmoved = asBlock(rest.at(-1))?.hash === block.hash && height === block.number
      const [returned, ...words] = unmoved ? rest : await askBetween(rpc, block, heightCall, ask)
      return {
        block,
        results: understoodAll(reads, datedReturns(returnedBy(returned)).value),
        slots: slots.map((_, index) => wordOf(words[index])),
      }
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
