import type { Address, Hex } from 'viem'
import { corroborate } from '../../platform/chain/agreement.ts'
import { asBlock, type Block, getBlock } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { readAt } from '../../platform/chain/read-at.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import { abis, earlierAbi } from '../contracts.ts'
import { bytes32OfUuid, isVaultClass, saltPrefixOf } from '../signed/index.rules.ts'
import type { OrderOnChain } from './mortality.rules.ts'
import { type Market, type SignedSide, type StagedTrade, tradeKeyOf } from './staged-trade.rules.ts'

/**
 * The newest block, and the newest that stays: the chain's own word, or so many blocks back where it has none. What is decided by it is for
 * ever, so no node may show another one.
 */
export async function readHeads(
  chain: Chain,
  confirmations: number,
): Promise<{ latest: Block; final: Block | undefined }> {
  const [head, tagged] = await chain.rpc.batch([getBlock('latest'), getBlock('finalized')])
  const latest = asBlock(head)
  if (!latest) throw new ChainUnavailableError('the node has no latest block')
  const finalized = tagged?.ok ? asBlock(tagged) : null
  const final = finalized ?? (await readBlock(chain, latest.number - BigInt(confirmations)))
  if (final) await corroborate(chain.rpc, final.number, final.hash)
  return { latest, final: final ?? undefined }
}

async function readBlock(chain: Chain, height: bigint): Promise<Block | null> {
  if (height < 0n) return null
  const [answer] = await chain.rpc.batch([getBlock(height)])
  return asBlock(answer)
}

const READS_PER_CALL = 200

/** Reads at a block of the past, in one round trip. */
const readMany = <T>(chain: Chain, block: Block, reads: readonly ContractRead<T>[]) =>
  readAt(chain, block, reads, READS_PER_CALL)

/** Of a contract that we vouch for: what it does not answer is a failed read. */
function answered<T>(result: ReadResult<T> | undefined): T {
  if (!result?.ok) throw new ChainUnavailableError('the custody contract did not answer')
  return result.value
}

/** Whether exactly this trade is settled; and whether its name is used up, as in contracts of the generation before. */
const settledReads = (market: Market, trade: StagedTrade) =>
  [tradeKeyOf(trade, market), bytes32OfUuid(trade.tradeId)].map((key) =>
    contractRead(market.custody, abis.tradingVault, 'isSettled', [market.token, key]),
  )

const orderReads = ({ custody }: Market, { order, orderHash }: SignedSide): ContractRead<unknown>[] => [
  contractRead(custody, abis.tradingVault, 'isCancelled', [order.trader, orderHash]),
  contractRead(custody, abis.tradingVault, 'filled', [order.trader, orderHash]),
  contractRead(custody, abis.tradingVault, 'nonceFloor', [order.trader]),
  contractRead(custody, abis.tradingVault, 'saltPrefix', [order.token, order.quote]),
  contractRead(custody, earlierAbi, 'saltPrefix', [order.token]),
]
const READS_PER_ORDER = 5

function asOrder([isCancelled, filled, nonceFloor, ...prefixes]: readonly ReadResult<unknown>[]): OrderOnChain {
  const saltPrefix = saltPrefixOf(prefixes)
  if (saltPrefix === undefined) throw new ChainUnavailableError('the custody contract did not answer')
  return {
    isCancelled: answered(isCancelled) as boolean,
    filled: answered(filled) as bigint,
    nonceFloor: answered(nonceFloor) as bigint,
    saltPrefix,
  }
}

interface MarketTrade {
  readonly market: Market
  readonly trade: StagedTrade
}

/** Both custody contracts answer these alike. */
export async function readSettled(chain: Chain, block: Block, trades: readonly MarketTrade[]): Promise<boolean[]> {
  const results = await readMany(
    chain,
    block,
    trades.flatMap(({ market, trade }) => settledReads(market, trade)),
  )
  return trades.map((_, index) =>
    results
      .slice(index * 2, (index + 1) * 2)
      .map(answered)
      .includes(true),
  )
}

interface TradeOnChain {
  /** Exactly this trade. */
  readonly isSettled: boolean
  /** By a contract of the generation before: this trade, or something else under its name. */
  readonly isNameUsed: boolean
  readonly maker: OrderOnChain
  readonly taker: OrderOnChain
}

const READS_PER_TRADE = 2 + 2 * READS_PER_ORDER

/** Everything that decides about trades for good, all of it at one block. */
export async function readTrades(chain: Chain, block: Block, trades: readonly MarketTrade[]): Promise<TradeOnChain[]> {
  const reads = trades.flatMap(({ market, trade }): ContractRead<unknown>[] => [
    ...settledReads(market, trade),
    ...orderReads(market, trade.maker),
    ...orderReads(market, trade.taker),
  ])
  const values = await readMany(chain, block, reads)
  return trades.map((_, index) => {
    const [isSettled, isNameUsed, ...orders] = values.slice(index * READS_PER_TRADE, (index + 1) * READS_PER_TRADE)
    return {
      isSettled: answered(isSettled) as boolean,
      isNameUsed: answered(isNameUsed) as boolean,
      maker: asOrder(orders.slice(0, READS_PER_ORDER)),
      taker: asOrder(orders.slice(READS_PER_ORDER)),
    }
  })
}

/** Whether each account may settle: in the whole vault, or this one security. */
export async function readOperators(
  chain: Chain,
  { class: bookClass, custody, token }: Market,
  accounts: readonly Address[],
): Promise<{ block: Block; operators: Address[] }> {
  const { block, results } = await chain.read(
    accounts.map((account) =>
      isVaultClass(bookClass)
        ? contractRead(custody, abis.tradingVault, 'isOperator', [account])
        : contractRead(custody, abis.signedOrderSettlement, 'isOperator', [token, account]),
    ),
  )
  return { block, operators: accounts.filter((_, index) => results[index]?.ok && results[index].value) }
}

/** What each call would do if it were the only one sent now: null when it goes through, else what it reverts with. */
export async function tryEach(chain: Chain, from: Address, calls: readonly UnsignedCall[]): Promise<(Hex | null)[]> {
  const answers = await chain.rpc.batch(
    calls.map(({ to, data }) => ({ method: 'eth_call', params: [{ from, to, data }, 'latest'] })),
  )
  return answers.map((answer) => {
    if (answer.ok) return null
    const { data, message } = answer.fault
    if (typeof data === 'string' && data.startsWith('0x')) return data as Hex
    if (/revert/i.test(message)) return '0x'
    throw new ChainUnavailableError(`a trade could not be tried: ${message}`)
  })
}
