import type { Hex } from './hex.ts'

/** Blocks, transactions, receipts and logs as JSON-RPC shows them; only the fields that this node reads itself are named. */
export interface RpcLog {
  address: Hex
  topics: Hex[]
}

export interface RpcReceipt {
  transactionHash: Hex
  logs: RpcLog[]
}

export interface RpcTransaction {
  hash: Hex
}

export interface RpcBlock {
  number: Hex
  hash: Hex
  timestamp: Hex
  transactions: RpcTransaction[]
}

export interface StoredBlock {
  block: RpcBlock
  receipts: RpcReceipt[]
}
