import { type Address, type Hex, hexToBigInt, numberToHex } from 'viem'
import { asBlock, getBlock } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { readTakers } from '../platform/chain/nonce-takers.ts'
import { ChainUnavailableError, type RpcAnswer, type RpcCall } from '../platform/chain/rpc.ts'
import type { UnsignedCall } from '../platform/chain/simulate.ts'
import type { RawReceipt } from '../platform/chain/transaction.ts'
import type { GasPrices } from './fees.rules.ts'
import type { AccountView, Receipt } from './outcome.rules.ts'
import type { OpenRelay } from './upkeep.store.ts'

/** What a transaction would take if it were signed now. */
export interface Quote {
  readonly prices: GasPrices
  readonly gas: bigint
  /** Counts what waits in the node's pool. */
  readonly nextNonce: bigint
  readonly balance: bigint
}

/** The call fails as things stand: its revert data, where the node gave any. */
export interface WouldRevert {
  readonly revert: Hex
}

const priceCalls: readonly RpcCall[] = [
  getBlock('latest'),
  { method: 'eth_maxPriorityFeePerGas', params: [] },
  { method: 'eth_gasPrice', params: [] },
]

function integerOf(answer: RpcAnswer | undefined): bigint | null {
  return answer?.ok && typeof answer.value === 'string' ? hexToBigInt(answer.value as Hex) : null
}

function requireInteger(answer: RpcAnswer | undefined, what: string): bigint {
  const value = integerOf(answer)
  if (value === null) throw new ChainUnavailableError(`the node did not tell ${what}`)
  return value
}

/** Understands what `priceCalls` were answered. */
function pricesOf([head, priority, price]: readonly (RpcAnswer | undefined)[]): GasPrices {
  const block = head?.ok ? (head.value as { baseFeePerGas?: Hex } | null) : null
  if (!block) throw new ChainUnavailableError('the node has no latest block')
  return {
    baseFee: block.baseFeePerGas === undefined ? null : hexToBigInt(block.baseFeePerGas),
    priorityFee: integerOf(priority),
    gasPrice: requireInteger(price, 'the price of gas'),
  }
}

/** One round trip. Gas is reckoned behind what waits already, since the call may need it. */
export async function readQuote(chain: Chain, from: Address, call: UnsignedCall): Promise<Quote | WouldRevert> {
  const transaction = { from, to: call.to, data: call.data, value: numberToHex(call.value) }
  const answers = await chain.rpc.batch([
    ...priceCalls,
    { method: 'eth_getTransactionCount', params: [from, 'pending'] },
    { method: 'eth_getBalance', params: [from, 'latest'] },
    { method: 'eth_estimateGas', params: [transaction, 'pending'] },
  ])
  const [count, balance, estimate] = answers.slice(priceCalls.length)
  if (estimate && !estimate.ok && (estimate.fault.data !== undefined || /revert/i.test(estimate.fault.message)))
    return { revert: typeof estimate.fault.data === 'string' ? (estimate.fault.data as Hex) : '0x' }
  return {
    prices: pricesOf(answers),
    nextNonce: requireInteger(count, 'the nonce'),
    balance: requireInteger(balance, 'the balance'),
    gas: requireInteger(estimate, 'what the call takes'),
  }
}

/** In one round trip. Null: the chain could not be read. */
export async function readBalances(chain: Chain, addresses: readonly Address[]): Promise<(bigint | null)[]> {
  try {
    const answers = await chain.rpc.batch(
      addresses.map((address) => ({ method: 'eth_getBalance', params: [address, 'latest'] })),
    )
    return addresses.map((_, index) => integerOf(answers[index]))
  } catch (error) {
    if (error instanceof ChainUnavailableError) return addresses.map(() => null)
    throw error
  }
}

export interface AccountReading extends AccountView {
  readonly prices: GasPrices
  readonly balance: bigint
}

function receiptOf(answer: RpcAnswer | undefined): Receipt | null {
  if (!answer?.ok) throw new ChainUnavailableError('the node did not tell what became of a transaction')
  const raw = answer.value as RawReceipt | null
  if (!raw) return null
  return {
    succeeded: hexToBigInt(raw.status) === 1n,
    blockNumber: hexToBigInt(raw.blockNumber),
    blockHash: raw.blockHash,
    gasUsed: hexToBigInt(raw.gasUsed),
  }
}

/** The chain's own word, or so many confirmations where it has none. */
function finalHeightOf(head: RpcAnswer | undefined, finalized: RpcAnswer | undefined, confirmations: number): bigint {
  const tagged = finalized?.ok ? asBlock(finalized) : null
  if (tagged) return tagged.number
  const newest = asBlock(head)
  if (!newest) throw new ChainUnavailableError('the node has no latest block')
  return newest.number - BigInt(confirmations)
}

/** What became of these, and the state of their sender: one round trip, and more where a receipt is missed. */
export async function readAccount(
  chain: Chain,
  address: Address,
  relays: readonly OpenRelay[],
  confirmations: number,
): Promise<AccountReading> {
  const hashes = relays.flatMap(({ attempts }) => attempts.map(({ txHash }) => txHash))
  const answers = await chain.rpc.batch([
    ...priceCalls,
    getBlock('finalized'),
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getBalance', params: [address, 'latest'] },
    ...hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ])
  const [finalized, count, balance, ...mined] = answers.slice(priceCalls.length)
  const receipts = new Map<Hex, Receipt>()
  for (const [index, hash] of hashes.entries()) {
    const receipt = receiptOf(mined[index])
    if (receipt) receipts.set(hash, receipt)
  }
  const finalHeight = finalHeightOf(answers[0], finalized, confirmations)
  const used = requireInteger(count, 'the nonce')
  const missed = relays.filter(({ attempts }) => !attempts.some(({ txHash }) => receipts.has(txHash)))
  const unexplained = missed.filter(({ nonce }) => nonce < used).map(({ nonce }) => nonce)
  return {
    prices: pricesOf(answers),
    balance: requireInteger(balance, 'the balance'),
    receipts,
    used,
    takers: await readTakers(chain, address, unexplained, finalHeight),
    blocks: await readBlocks(chain, missed.filter(({ state }) => state === 'MINED').flatMap(heightsOf)),
    finalHeight,
  }
}

const heightsOf = ({ attempts }: OpenRelay) => attempts.flatMap(({ blockNumber }) => blockNumber ?? [])

/** The hashes of the blocks at these heights, as far as the node has come. */
async function readBlocks(chain: Chain, heights: readonly bigint[]): Promise<ReadonlyMap<bigint, Hex>> {
  if (heights.length === 0) return new Map()
  const answers = await chain.rpc.batch(heights.map((height) => getBlock(height)))
  return new Map(
    answers.flatMap((answer): [bigint, Hex][] => {
      const block = answer.ok ? asBlock(answer) : null
      return block ? [[block.number, block.hash]] : []
    }),
  )
}
