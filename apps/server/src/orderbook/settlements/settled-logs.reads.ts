import { type Address, type Hex, toEventSelector } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import { bytes32OfUuid } from '../signed/signed-order.rules.ts'

const event = abis.tradingVault.find((item) => item.type === 'event' && item.name === 'TradeSettled')
if (event?.type !== 'event') throw new Error('the vault emits no TradeSettled')
const TRADE_SETTLED = toEventSelector(event)

/** Nodes refuse to look through more blocks at once. */
const BLOCKS_PER_LOOK = 2_000n

const hex = (height: bigint) => `0x${height.toString(16)}`

interface RawLog {
  transactionHash: Hex
  topics: Hex[]
}

/**
 * The transactions that settled trades, by the reference of the trade: from the newest block backwards, until all are found or none is left
 * to look at.
 */
export async function findSettlingTransactions(
  chain: Chain,
  custody: Address,
  tradeIds: readonly string[],
  blocks: { readonly above: bigint; readonly upTo: bigint },
): Promise<Set<Hex>> {
  const missing = new Set(tradeIds.map((id) => bytes32OfUuid(id).toLowerCase()))
  const found = new Set<Hex>()
  for (let to = blocks.upTo; missing.size > 0 && to > blocks.above; to -= BLOCKS_PER_LOOK) {
    const lowest = to - BLOCKS_PER_LOOK + 1n
    const from = lowest > blocks.above ? lowest : blocks.above + 1n
    const topics = [TRADE_SETTLED, [...missing]]
    const filter = { address: custody, topics, fromBlock: hex(from < 0n ? 0n : from), toBlock: hex(to) }
    const [answer] = await chain.rpc.batch([{ method: 'eth_getLogs', params: [filter] }])
    if (!answer?.ok) throw new ChainUnavailableError(`logs could not be read: ${answer?.fault.message ?? 'no answer'}`)
    for (const { transactionHash, topics: told } of answer.value as RawLog[]) {
      found.add(transactionHash)
      missing.delete((told[1] ?? '').toLowerCase())
    }
  }
  return found
}
