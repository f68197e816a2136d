import { type Address, erc20Abi, toFunctionSelector, zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { type NamedResults, readNamed } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { realizationName } from '../curator/index.rules.ts'
import { ageOf } from '../oracle/index.rules.ts'
import { priceReads } from '../oracle/index.ts'
import { bidFloor, saleBasis } from './atomic.rules.ts'

/** What router, market and factory say about sales in one step. `buyer`: whose purse is looked into. */
export function atomicReads(market: Market, buyer: Address) {
  const { router, address, factory, borrowAsset } = market
  const [price, updatedAt, maxPriceAge] = priceReads(market.oracle)
  return {
    terms: contractRead(router, abis.router, 'atomicTerms', []),
    bid: contractRead(router, abis.router, 'saleBid', []),
    recipient: contractRead(router, abis.router, 'saleRecipient', []),
    announced: contractRead(router, abis.router, 'announcedRecipient', []),
    totals: contractRead(router, abis.router, 'totals', []),
    config: contractRead(address, abis.market, 'config', []),
    parts: contractRead(address, abis.market, 'parts', []),
    deployment: contractRead(factory, abis.factory, 'deployment', [address]),
    allowance: contractRead(borrowAsset, erc20Abi, 'allowance', [buyer, router]),
    balance: contractRead(borrowAsset, erc20Abi, 'balanceOf', [buyer]),
    price,
    updatedAt,
    maxPriceAge,
  } as const
}

type AtomicResults = NamedResults<ReturnType<typeof atomicReads>>

const noBidErrors: readonly string[] = [
  toFunctionSelector('NoLiveBid()'),
  toFunctionSelector('SaleBidBelowFloor(uint256,uint256)'),
]
const orNull = (address: Address) => (address === zeroAddress ? null : lowered(address))
const readOrNull = <T>(result: ReadResult<T>): T | null => (result.ok ? result.value : null)

/** The router answers its terms only with a live bid: refusing for want of one, it says that it would sell at once. */
function isAtomic(terms: ReadResult<readonly [boolean, bigint]>): boolean | null {
  if (terms.ok) return terms.value[0]
  return noBidErrors.includes(terms.revert.slice(0, 10)) ? true : null
}

export function atomicState(
  results: AtomicResults,
  market: Market,
  chainTime: number,
  refuse: Refuse<'ROUTER_UNREADABLE'>,
) {
  const { bid, recipient, announced, totals, config, parts, deployment, price, updatedAt, maxPriceAge } = results
  const atomic = isAtomic(results.terms)
  if (atomic === null || !bid.ok || !recipient.ok || !announced.ok || !totals.ok || !config.ok || !parts.ok)
    throw refuse('ROUTER_UNREADABLE')
  const [priceFactorBps, validUntil] = bid.value
  const [received, settled] = totals.value
  const [next, activatesAt] = announced.value
  const saleRecipient = orNull(recipient.value)
  const isFresh = updatedAt.ok && maxPriceAge.ok ? !ageOf(updatedAt.value, maxPriceAge.value, chainTime).isStale : null
  return {
    isAtomic: atomic,
    bid: { priceFactorBps, validUntil },
    floorBps: bidFloor(config.value.auctionMinBps),
    usesAuctions: config.value.useDutchAuction,
    saleRecipient,
    isLenderSide: saleRecipient !== null && saleRecipient === orNull(parts.value.operator),
    announced: orNull(next) === null ? null : { recipient: lowered(next), activatesAt: Number(activatesAt) },
    openLiquidations: Number(received - settled),
    basis: saleBasis(market.priceSource, deployment.ok ? realizationName(deployment.value.realizationMode) : null),
    allowance: readOrNull(results.allowance),
    balance: readOrNull(results.balance),
    price: readOrNull(price),
    isFresh,
  }
}

export type AtomicState = ReturnType<typeof atomicState>

/** A market that may sell in one step. */
export function requireBasis(
  { basis }: AtomicState,
  refuse: Refuse<'ROUTER_UNREADABLE' | 'ATOMIC_SALE_UNAVAILABLE'>,
): void {
  const { available, reasonCode, priceSource, realizationMode, reason } = basis
  if (available === null) throw refuse('ROUTER_UNREADABLE')
  if (reasonCode !== null)
    throw refuse('ATOMIC_SALE_UNAVAILABLE', {
      ...(reason ? { detail: reason } : {}),
      extra: { details: { reasonCode, priceSource, realizationMode } },
    })
}

/** What a sale is made from; all of it must have been read. */
export function requirePurse(
  { price, isFresh, allowance, balance }: AtomicState,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE'>,
) {
  if (price === null || isFresh === null || allowance === null || balance === null)
    throw refuse('MARKET_STATE_UNAVAILABLE')
  return { price, isStale: !isFresh, allowance, balance }
}

/**
 * In one round trip when the record knows who the sale recipient is, else in a second with who it turned out to be.
 * @param roles Whatever else has to be known of who signs.
 */
export async function readAtomic(
  chain: Chain,
  market: Market,
  guess: Address | null,
  refuse: Refuse<'ROUTER_UNREADABLE'>,
  roles: readonly ContractRead<boolean>[] = [],
) {
  const ask = async (buyer: Address) => {
    const { block, results } = await readNamed(chain, { ...atomicReads(market, buyer), roles })
    return { block, state: atomicState(results, market, block.time, refuse), roles: results.roles }
  }
  const first = await ask(guess ?? zeroAddress)
  const { saleRecipient } = first.state
  return saleRecipient === guess || saleRecipient === null ? first : ask(saleRecipient)
}
