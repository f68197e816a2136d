import { type Address, type Hex, toEventSelector } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import { bytes32OfUuid } from '../signed/index.rules.ts'

const event = abis.tradingVault.find((item) => item.type === 'event' && item.name === 'TradeSettled')
if (event?.type !== 'event') throw new Error('the vault emits no TradeSettled')
const TRADE_SETTLED = toEventSelector(event)

/** Nodes refuse to look through more blocks at once. */
const BLOCKS_PER_LOOK = 2_000n

const hex = (height: bigint) => `0x${height.toString(16)}`

interface RawLog {
  readonly address: Address
  readonly transactionHash: Hex
  readonly topics: Hex[]
  readonly data: Hex
}

export interface Sought {
  readonly tradeId: string
  /** Others may settle something else under the same name. */
  isIt(log: RawLog): boolean
}

/**
 * The transactions that settled trades, by the reference of the trade: from the newest block backwards, until all are found or none is left
 * to look at.
 */
export async function findSettlingTransactions(
  chain: Chain,
  custody: Address,
  sought: readonly Sought[],
  blocks: { readonly above: bigint; readonly upTo: bigint },
): Promise<Set<Hex>> {
  const missing = new Map(sought.map((one) => [bytes32OfUuid(one.tradeId).toLowerCase(), one]))
  const found = new Set<Hex>()
  for (let to = blocks.upTo; missing.size > 0 && to > blocks.above; to -= BLOCKS_PER_LOOK) {
    const lowest = to - BLOCKS_PER_LOOK + 1n
    const from = lowest > blocks.above ? lowest : blocks.above + 1n
    const topics = [TRADE_SETTLED, [...missing.keys()]]
    const filter = { address: custody, topics, fromBlock: hex(from < 0n ? 0n : from), toBlock: hex(to) }
    const [answer] = await chain.rpc.batch([{ method: 'eth_getLogs', params: [filter] }])
    if (!answer?.ok) throw new ChainUnavailableError(`logs could not be read: ${answer?.fault.message ?? 'no answer'}`)
    for (const log of answer.value as RawLog[]) {
      const name = (log.topics[1] ?? '').toLowerCase()
      if (!missing.get(name)?.isIt(log)) continue
      found.add(log.transactionHash)
      missing.delete(name)
    }
  }
  return found
}
