import { type Address, type Hex, hexToBigInt, hexToNumber } from 'viem'
import { lowered } from '../values/address.rules.ts'
import { corroborate } from './agreement.ts'
import { asBlock, type Block, getBlockByHash } from './block.ts'
import type { ReceiptLog } from './call-pair.ts'
import type { Chain } from './chain.ts'
import { ChainUnavailableError, type RpcAnswer } from './rpc.ts'

/** A log where it stands now. */
export interface MinedLog extends ReceiptLog {
  /** Its index within the block, which orders it among the logs of other transactions. */
  readonly blockLogIndex: number
}

/** A mined transaction with everything a proof needs. */
export interface MinedTransaction {
  readonly hash: Hex
  readonly from: Address
  /** Null: it created a contract. */
  readonly to: Address | null
  readonly input: Hex
  readonly succeeded: boolean
  readonly gasUsed: bigint
  readonly logs: readonly MinedLog[]
  readonly block: Block
}

interface RawLog {
  address: Address
  topics: Hex[]
  data: Hex
  logIndex: Hex
}

/** A transaction's receipt as a node answers it. */
export interface RawReceipt {
  blockHash: Hex
  blockNumber: Hex
  from: Address
  status: Hex
  gasUsed: Hex
  logs: RawLog[]
}

export function minedLogs(receipt: Pick<RawReceipt, 'logs'>): MinedLog[] {
  return receipt.logs.map((raw, logIndex) => ({
    address: lowered(raw.address),
    topics: raw.topics,
    data: raw.data,
    logIndex,
    blockLogIndex: hexToNumber(raw.logIndex),
  }))
}

function unwrap<T>(answer: RpcAnswer | undefined): T | null {
  if (!answer?.ok)
    throw new ChainUnavailableError(`a transaction could not be read: ${answer?.fault.message ?? 'no answer'}`)
  return answer.value as T | null
}

/** Null: not mined (yet), dropped, or replaced by another. Nodes that contradict each other about its block make it unreadable. */
export async function readTransaction(chain: Chain, hash: Hex): Promise<MinedTransaction | null> {
  const [receiptAnswer, transactionAnswer] = await chain.rpc.batch([
    { method: 'eth_getTransactionReceipt', params: [hash] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ])
  const receipt = unwrap<RawReceipt>(receiptAnswer)
  const transaction = unwrap<{ from: Address; to: Address | null; input: Hex }>(transactionAnswer)
  if (!receipt || !transaction) return null
  const [blockAnswer] = await chain.rpc.batch([getBlockByHash(receipt.blockHash)])
  const block = asBlock(blockAnswer)
  if (!block) return null
  await corroborate(chain.rpc, block.number, block.hash)
  return {
    hash,
    from: lowered(transaction.from),
    to: transaction.to === null ? null : lowered(transaction.to),
    input: transaction.input,
    succeeded: hexToBigInt(receipt.status) === 1n,
    gasUsed: hexToBigInt(receipt.gasUsed),
    logs: minedLogs(receipt),
    block,
  }
}
