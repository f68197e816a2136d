import { type Archive, PrunedError } from './archive.ts'
import { type Hex, toHex } from './hex.ts'
import { type LogFilter, matchesFilter } from './log-filter.ts'
import { RpcFault } from './rpc-fault.ts'
import type { StoredBlock } from './stored-block.ts'

type Handler = (params: readonly unknown[]) => unknown

interface LogQuery extends LogFilter {
  blockHash?: Hex
  fromBlock?: Hex
  toBlock?: Hex
}

/** The code that nodes have agreed on for history which they no longer keep. */
const PRUNED = 4444

/** Blocks, transactions, receipts and logs of a chain in files. Tags have become numbers before. */
export function createHistoryRpc(archive: Archive): ReadonlyMap<string, Handler> {
  const headNumber = () => Number(archive.head().block.number)

  function read(number: number): StoredBlock | null {
    try {
      return archive.block(number)
    } catch (error) {
      throw error instanceof PrunedError ? new RpcFault(PRUNED, `pruned history unavailable: ${error.message}`) : error
    }
  }

  /** A hash is only believed when the block that is there now has it: an undone one may still be in an old file. */
  function byHash(hash: Hex): StoredBlock | null {
    const number = archive.numberOfBlock(hash)
    const found = number === undefined ? null : read(number)
    return found?.block.hash === hash ? found : null
  }

  function withTransaction(hash: Hex): StoredBlock | null {
    const number = archive.numberOfTransaction(hash)
    return number === undefined ? null : read(number)
  }

  function shown(found: StoredBlock | null, isFull: unknown): object | null {
    if (!found || isFull === true) return found?.block ?? null
    return { ...found.block, transactions: found.block.transactions.map(({ hash }) => hash) }
  }

  function* blocksOf({ blockHash, fromBlock = 'latest' as Hex, toBlock = 'latest' as Hex }: LogQuery) {
    if (blockHash !== undefined) {
      const found = byHash(blockHash)
      if (!found) throw new RpcFault(-32_001, 'unknown block')
      yield found
      return
    }
    const number = (tag: string) => (tag === 'latest' || tag === 'pending' ? headNumber() : Number(tag))
    const last = Math.min(number(toBlock), headNumber())
    for (let at = number(fromBlock); at <= last; at++) {
      const found = archive.hasTransactions(at) ? read(at) : null
      if (found) yield found
    }
  }

  return new Map<string, Handler>([
    ['eth_blockNumber', () => toHex(headNumber())],
    ['eth_getBlockByNumber', ([number, isFull]) => shown(read(Number(number)), isFull)],
    ['eth_getBlockByHash', ([hash, isFull]) => shown(byHash(hash as Hex), isFull)],
    [
      'eth_getTransactionReceipt',
      ([hash]) => withTransaction(hash as Hex)?.receipts.find((it) => it.transactionHash === hash) ?? null,
    ],
    [
      'eth_getTransactionByHash',
      ([hash]) => withTransaction(hash as Hex)?.block.transactions.find((it) => it.hash === hash) ?? null,
    ],
    ['eth_getBlockReceipts', ([number]) => read(Number(number))?.receipts ?? null],
    [
      'eth_getLogs',
      ([query]) => {
        const filter = query as LogQuery
        const logs: object[] = []
        for (const { receipts } of blocksOf(filter))
          for (const receipt of receipts) logs.push(...receipt.logs.filter((log) => matchesFilter(filter, log)))
        return logs
      },
    ],
  ])
}
