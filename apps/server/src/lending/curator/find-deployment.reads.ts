import { type Address, type Hex, hexToBigInt, pad, toEventSelector } from 'viem'
import { asBlock, type Block, getBlock } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'

const deployedEvent = abis.factory.find((item) => item.type === 'event' && item.name === 'MarketDeployed')
if (deployedEvent?.type !== 'event') throw new Error('the factory declares no MarketDeployed')
const MARKET_DEPLOYED = toEventSelector(deployedEvent)

async function blockAt(chain: Chain, height: bigint): Promise<Block> {
  const [answer] = await chain.rpc.batch([getBlock(height)])
  const block = asBlock(answer)
  if (!block) throw new ChainUnavailableError(`the node has no block ${height}`)
  return block
}

/** The first block that is not before `time`; the head, when all are before. */
async function firstBlockFrom(chain: Chain, head: Block, time: number): Promise<bigint> {
  let [low, high] = [0n, head.number]
  while (low < high) {
    const middle = (low + high) / 2n
    if ((await blockAt(chain, middle)).time >= time) high = middle
    else low = middle + 1n
  }
  return low
}

/**
 * The transaction that deployed a market which nobody recorded here. The factory tells the second, which leads to the block, so
 * that the node is never asked to search the whole chain.
 */
export async function findDeploymentTransaction(
  chain: Chain,
  factory: Address,
  market: Address,
  deployedAt: number,
): Promise<Hex | null> {
  const head = await chain.latest()
  const fromBlock = await firstBlockFrom(chain, head, deployedAt)
  const nextSecond = await firstBlockFrom(chain, head, deployedAt + 1)
  const hex = (height: bigint): Hex => `0x${height.toString(16)}`
  const [answer] = await chain.rpc.batch([
    {
      method: 'eth_getLogs',
      params: [
        {
          address: factory,
          topics: [MARKET_DEPLOYED, pad(market)],
          fromBlock: hex(fromBlock),
          toBlock: hex(nextSecond),
        },
      ],
    },
  ])
  if (!answer?.ok) throw new ChainUnavailableError('the deployment of a market could not be looked up')
  const [log] = answer.value as { transactionHash: Hex; blockNumber: Hex }[]
  return log && hexToBigInt(log.blockNumber) >= fromBlock ? log.transactionHash : null
}
