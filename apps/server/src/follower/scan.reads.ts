import { type Address, type Hex, hexToNumber } from 'viem'
import { asBlock, type Block, getBlock, getBlockByHash } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { ChainUnavailableError, type RpcAnswer, type RpcCall } from '../platform/chain/rpc.ts'
import { minedLogs, type RawReceipt } from '../platform/chain/transaction.ts'
import { lowered } from '../platform/values/address.rules.ts'
import type { Scan } from './scan-plan.rules.ts'

/** An event as the follower stores it. */
export interface ScannedLog {
  readonly chainId: number
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockLogIndex: number
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly blockTime: number
  readonly txFrom: Address
}

interface RawLog {
  transactionHash: Hex
  logIndex: Hex
  blockHash: Hex
}

/** Nodes refuse larger batches. */
const CALLS_PER_BATCH = 100

async function inBatches(chain: Chain, calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
  const answers: RpcAnswer[] = []
  for (let at = 0; at < calls.length; at += CALLS_PER_BATCH)
    answers.push(...(await chain.rpc.batch(calls.slice(at, at + CALLS_PER_BATCH))))
  return answers
}

const moved = () => new ChainUnavailableError('the chain moved while it was read')

/** A tag that a chain does not have is no failure: confirmations are counted there instead. */
function tagged(answer: RpcAnswer | undefined): bigint | null {
  return answer?.ok && answer.value ? (asBlock(answer)?.number ?? null) : null
}

export interface ChainHead {
  readonly head: Block
  readonly safe: bigint | null
  readonly finalized: bigint | null
  /** The block the chain shows at the height asked for; null: the chain is shorter than that. */
  readonly atCursor: Block | null
}

export async function readHead(chain: Chain, cursor: bigint): Promise<ChainHead> {
  const [latest, safe, finalized, at] = await chain.rpc.batch([
    getBlock('latest'),
    getBlock('safe'),
    getBlock('finalized'),
    getBlock(cursor),
  ])
  const head = asBlock(latest)
  if (!head) throw new ChainUnavailableError('the node has no latest block')
  return { head, safe: tagged(safe), finalized: tagged(finalized), atCursor: asBlock(at) }
}

/** The hash that the chain shows at each height now; null where the chain is shorter. */
export async function canonicalHashes(chain: Chain, heights: readonly bigint[]): Promise<Map<bigint, Hex | null>> {
  const answers = await inBatches(
    chain,
    heights.map((height) => getBlock(height)),
  )
  return new Map(heights.map((height, index) => [height, asBlock(answers[index])?.hash ?? null]))
}

/** The block at a height that the chain must have. */
export async function readBlock(chain: Chain, height: bigint): Promise<Block> {
  const [answer] = await chain.rpc.batch([getBlock(height)])
  const block = asBlock(answer)
  if (!block) throw moved()
  return block
}

/** Several reads saw one chain only if it shows the same blocks after them as before. */
export async function checkUnmoved(
  chain: Chain,
  blocks: readonly { readonly blockNumber: bigint; readonly blockHash: string }[],
): Promise<void> {
  const now = await canonicalHashes(
    chain,
    blocks.map(({ blockNumber }) => blockNumber),
  )
  if (blocks.some(({ blockNumber, blockHash }) => now.get(blockNumber) !== blockHash)) throw moved()
}

/** Every event of the contracts in the range, with the time of its block and the sender of its transaction. */
export async function scanLogs(chain: Chain, { addresses, from, to }: Scan, upTo: Block): Promise<ScannedLog[]> {
  const hex = (height: bigint) => `0x${height.toString(16)}`
  // Asked together, so that a node which lags behind the others is noticed: it would leave out events without a word.
  const [top, found] = await chain.rpc.batch([
    getBlock(upTo.number),
    { method: 'eth_getLogs', params: [{ address: addresses, fromBlock: hex(from + 1n), toBlock: hex(to) }] },
  ])
  if (asBlock(top)?.hash !== upTo.hash) throw moved()
  if (!found?.ok) throw new ChainUnavailableError(`logs could not be read: ${found?.fault.message ?? 'no answer'}`)
  const logs = found.value as RawLog[]
  const blockHashes = [...new Set(logs.map((log) => log.blockHash))]
  const transactions = [...new Set(logs.map((log) => log.transactionHash))]
  const answers = await inBatches(chain, [
    ...blockHashes.map(getBlockByHash),
    ...transactions.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ])
  const blocks = new Map(blockHashes.map((hash, index) => [hash, asBlock(answers[index])]))
  const receipts = new Map(
    transactions.map((hash, index) => {
      const answer = answers[blockHashes.length + index]
      return [hash, answer?.ok ? (answer.value as RawReceipt | null) : null]
    }),
  )
  return logs.map((log) => {
    const block = blocks.get(log.blockHash)
    const receipt = receipts.get(log.transactionHash)
    if (!block || receipt?.blockHash !== log.blockHash) throw moved()
    const mined = minedLogs(receipt).find(({ blockLogIndex }) => blockLogIndex === hexToNumber(log.logIndex))
    if (!mined) throw moved()
    return {
      ...mined,
      chainId: chain.chainId,
      txHash: log.transactionHash,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      txFrom: lowered(receipt.from),
    }
  })
}
