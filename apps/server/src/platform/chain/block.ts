import { type Hex, hexToBigInt, hexToNumber } from 'viem'
import { ChainUnavailableError, type RpcAnswer, type RpcCall } from './rpc.ts'

/** The one block that an answer was read at. */
export interface Block {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds: the clock of every rule about the chain. */
  readonly time: number
}

export type BlockTag = 'latest' | 'safe' | 'finalized'

export const getBlock = (at: BlockTag | bigint): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [typeof at === 'bigint' ? `0x${at.toString(16)}` : at, false],
})
export const getBlockByHash = (hash: Hex): RpcCall => ({ method: 'eth_getBlockByHash', params: [hash, false] })

interface RawBlock {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
}

/** Null when the node knows no such block. */
export function asBlock(answer: RpcAnswer | undefined): Block | null {
  if (!answer?.ok) throw new ChainUnavailableError(`a block could not be read: ${answer?.fault.message ?? 'no answer'}`)
  const raw = answer.value as RawBlock | null
  if (!raw) return null
  return {
    number: hexToBigInt(raw.number),
    hash: raw.hash,
    parentHash: raw.parentHash,
    time: hexToNumber(raw.timestamp),
  }
}
