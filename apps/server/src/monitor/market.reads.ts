import {
  custodyAdapterAbi,
  dutchAuctionVenueAbi,
  lendingMarketAbi,
  liquidationRouterAbi,
  tradingVaultAbi,
} from '@tallystick/abi'
import { type Address, erc20Abi } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import { type ContractRead, contractRead } from '../platform/chain/contract-read.ts'
import type { BlockPlace } from '../platform/chain/pinned.ts'
import { readAt } from '../platform/chain/read-at.ts'
import type { LoanFigures, MarketFigures, VaultFigures } from './invariant.rules.ts'
import type { WatchedBalance, WatchedMarket } from './subjects.store.ts'

const READS_PER_CALL = 150
/** More would take a node longer than a look may last; such a market is told as not read. */
const MOST_RECORDS = 5_000n
/** As the contract counts the states of a loan. */
const CLOSED = 3

const balanceOf = (token: Address, of: Address) => contractRead(token, erc20Abi, 'balanceOf', [of])
const upTo = (count: bigint): bigint[] => Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))

/** Every value in its place; null when one of them did not come. */
async function values(
  chain: Chain,
  block: BlockPlace,
  reads: readonly ContractRead<unknown>[],
): Promise<unknown[] | null> {
  const results = await readAt(chain, block, reads, READS_PER_CALL)
  return results.every((result) => result.ok) ? results.map((result) => (result.ok ? result.value : null)) : null
}

interface Counts {
  readonly loanCounter: bigint
  readonly realizationCounter: bigint
}

type Pool = MarketFigures['pool'] & Counts & { readonly totalShares: bigint }
type LoanOnChain = Pick<LoanFigures, 'principal' | 'interest' | 'collateral'> & { readonly status: number }
interface LiquidationOnChain {
  readonly collateralRemaining: bigint
  readonly proceedsCollected: bigint
  readonly settled: boolean
}

/** What a market says of itself, and what others say of it, all at one block. Null: something did not answer, or there is too much. */
export async function readMarket(
  chain: Chain,
  block: BlockPlace,
  subject: WatchedMarket,
): Promise<MarketFigures | null> {
  const { market, asset, collateralToken, adapter, router, venue, mode } = subject
  const first = await values(chain, block, [
    contractRead(market, lendingMarketAbi, 'pool', []),
    contractRead(router, liquidationRouterAbi, 'totals', []),
    balanceOf(asset, market),
    balanceOf(collateralToken, adapter),
    balanceOf(collateralToken, router),
    balanceOf(asset, router),
    ...(venue
      ? [
          contractRead(venue, dutchAuctionVenueAbi, 'auctionCount', []),
          contractRead(venue, dutchAuctionVenueAbi, 'openAuctions', []),
          balanceOf(collateralToken, venue),
        ]
      : []),
  ])
  if (!first) return null
  const [
    pool,
    [received],
    cashHeld,
    escrow,
    routerHeld,
    proceedsHeld,
    auctionCount = 0n,
    openAuctions = 0n,
    venueHeld = 0n,
  ] = first as [Pool, [bigint], bigint, bigint, bigint, bigint, bigint?, bigint?, bigint?]
  if ([pool.loanCounter, pool.realizationCounter, received, auctionCount].some((count) => count > MOST_RECORDS))
    return null
  const [loans, liquidations, auctions] = [upTo(pool.loanCounter), upTo(received), upTo(auctionCount)]
  const second = await values(chain, block, [
    contractRead(market, lendingMarketAbi, 'toAssets', [pool.totalShares]),
    ...loans.map((id) => contractRead(market, lendingMarketAbi, 'loan', [id])),
    ...loans.map((id) => contractRead(adapter, custodyAdapterAbi, 'pledgeOf', [id])),
    ...upTo(pool.realizationCounter).map((id) => contractRead(market, lendingMarketAbi, 'realization', [id])),
    ...liquidations.map((id) => contractRead(router, liquidationRouterAbi, 'liquidation', [id])),
    ...(venue ? auctions.map((id) => contractRead(venue, dutchAuctionVenueAbi, 'auction', [id])) : []),
  ])
  if (!second) return null
  let at = 1
  const take = <T>(count: number): T[] => {
    at += count
    return second.slice(at - count, at) as T[]
  }
  const asked = take<LoanOnChain>(loans.length)
  const pledges = take<readonly [Address, bigint]>(loans.length)
  const realizations = take<{ carried: bigint; held: bigint }>(Number(pool.realizationCounter))
  const records = take<LiquidationOnChain>(liquidations.length)
  const sales = take<{ remaining: bigint }>(venue ? auctions.length : 0)
  const sumOf = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  return {
    market,
    pool,
    cashHeld,
    sharesWorth: second[0] as bigint,
    loans: asked.map(({ status, ...loan }, index) => ({
      ...loan,
      isClosed: status === CLOSED,
      pledged: pledges[index]?.[1] ?? 0n,
    })),
    realizations,
    escrow: mode === 'CUSTODY' ? escrow : null,
    router: {
      held: routerHeld,
      booked: sumOf(records.map(({ collateralRemaining }) => collateralRemaining)),
      proceedsHeld,
      proceedsBooked: sumOf(records.flatMap(({ settled, proceedsCollected }) => (settled ? [] : [proceedsCollected]))),
    },
    venue: venue ? { held: venueHeld, booked: sumOf(sales.map(({ remaining }) => remaining)), openAuctions } : null,
  }
}

export async function readVaults(
  chain: Chain,
  block: BlockPlace,
  subjects: readonly WatchedBalance[],
): Promise<(VaultFigures | null)[]> {
  const reads = subjects.flatMap(({ vault, token }) => [
    balanceOf(token, vault),
    contractRead(vault, tradingVaultAbi, 'bookedOf', [token]),
  ])
  const results = await readAt(chain, block, reads, READS_PER_CALL)
  return subjects.map(({ vault, token }, index) => {
    const [held, booked] = [results[2 * index], results[2 * index + 1]]
    return held?.ok && booked?.ok ? { vault, token, held: held.value as bigint, booked: booked.value as bigint } : null
  })
}
