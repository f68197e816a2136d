import { type Address, type Hex, hexToBigInt } from 'viem'
import { asBlock, type Block, getBlock, getBlockByHash } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { ChainUnavailableError, type RpcAnswer } from '../platform/chain/rpc.ts'
import { asReceiptLog } from '../platform/chain/transaction.ts'

/** An event as the follower stores it. */
export interface ScannedLog {
  readonly chainId: number
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly blockTime: number
  readonly txFrom: Address
}

interface RawLog {
  address: Address
  topics: Hex[]
  data: Hex
  logIndex: Hex
  transactionHash: Hex
  blockHash: Hex
  blockNumber: Hex
}

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
  if (heights.length === 0) return new Map()
  const answers = await chain.rpc.batch(heights.map((height) => getBlock(height)))
  return new Map(heights.map((height, index) => [height, asBlock(answers[index])?.hash ?? null]))
}

/** Every event of the contracts in the range, with the time of its block and the sender of its transaction. */
export async function scanLogs(
  chain: Chain,
  addresses: readonly string[],
  from: bigint,
  to: bigint,
): Promise<ScannedLog[]> {
  if (addresses.length === 0 || from > to) return []
  const hex = (height: bigint) => `0x${height.toString(16)}`
  const [found] = await chain.rpc.batch([
    { method: 'eth_getLogs', params: [{ address: addresses, fromBlock: hex(from), toBlock: hex(to) }] },
  ])
  if (!found?.ok) throw new ChainUnavailableError(`logs could not be read: ${found?.fault.message ?? 'no answer'}`)
  const logs = found.value as RawLog[]
  if (logs.length === 0) return []
  const blocks = [...new Set(logs.map((log) => log.blockHash))]
  const transactions = [...new Set(logs.map((log) => log.transactionHash))]
  const answers = await chain.rpc.batch([
    ...blocks.map(getBlockByHash),
    ...transactions.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  ])
  const timeOf = new Map(blocks.map((hash, index) => [hash, asBlock(answers[index])?.time]))
  const senderOf = new Map(
    transactions.map((hash, index) => {
      const answer = answers[blocks.length + index]
      return [hash, answer?.ok ? (answer.value as { from: Address } | null)?.from : undefined]
    }),
  )
  return logs.map((log) => {
    const blockTime = timeOf.get(log.blockHash)
    const txFrom = senderOf.get(log.transactionHash)
    if (blockTime === undefined || txFrom === undefined)
      throw new ChainUnavailableError('the chain moved while it was read')
    return {
      ...asReceiptLog(log),
      chainId: chain.chainId,
      txHash: log.transactionHash,
      blockNumber: hexToBigInt(log.blockNumber),
      blockHash: log.blockHash,
      blockTime,
      txFrom: txFrom.toLowerCase() as Address,
    }
  })
}
