import {
  custodyAdapterAbi,
  dutchAuctionVenueAbi,
  lendingMarketAbi,
  liquidationRouterAbi,
  tradingVaultAbi,
} from '@tallystick/abi'
import { type Address, erc20Abi } from 'viem'
import type { Chain } from '../platform/chain/chain.ts'
import { allValues, type ContractRead, contractRead } from '../platform/chain/contract-read.ts'
import type { BlockPlace } from '../platform/chain/pinned.ts'
import { readListsAt } from '../platform/chain/read-at.ts'
import type { LoanFigures, MarketFigures, VaultFigures } from './invariant.rules.ts'
import { packed } from './packs.rules.ts'
import type { WatchedBalance, WatchedMarket } from './subjects.store.ts'

const READS_PER_CALL = 150
/** Markets whose books, or tokens whose balances a node is asked for in one round trip. */
const SUBJECTS_AT_ONCE = 100
/** Reads in one round trip; those of one market, which may be more, are never parted. */
const READS_AT_ONCE = 50 * READS_PER_CALL
/** More would take a node longer than a look may last; such a market is told as not read. */
const MOST_RECORDS = 5_000n
/** As the contract counts the states of a loan. */
const CLOSED = 3

const balanceOf = (token: Address, of: Address) => contractRead(token, erc20Abi, 'balanceOf', [of])
const upTo = (count: bigint): bigint[] => Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))

type Reads = readonly ContractRead<unknown>[]

/** Of each list every value in its place; null when one of them did not come. */
async function values(chain: Chain, block: BlockPlace, lists: readonly Reads[]): Promise<(unknown[] | null)[]> {
  const results = await readListsAt(chain, block, lists, READS_PER_CALL)
  return results.map((list) => allValues(list))
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

/** What a market and its parts say of themselves; nobody else was asked yet. */
interface Books {
  readonly subject: WatchedMarket
  readonly pool: Pool
  readonly openAuctions: bigint
  readonly counts: {
    readonly loans: bigint
    readonly realizations: bigint
    readonly liquidations: bigint
    readonly auctions: bigint
  }
}

const booksOf = ({ market, router, venue }: WatchedMarket): Reads => [
  contractRead(market, lendingMarketAbi, 'pool', []),
  contractRead(router, liquidationRouterAbi, 'totals', []),
  ...(venue
    ? [
        contractRead(venue, dutchAuctionVenueAbi, 'auctionCount', []),
        contractRead(venue, dutchAuctionVenueAbi, 'openAuctions', []),
      ]
    : []),
]

/** Null: there is more than one look reads. */
function asBooks(subject: WatchedMarket, told: readonly unknown[]): Books | null {
  const [pool, [liquidations], auctions = 0n, openAuctions = 0n] = told as [Pool, [bigint], bigint?, bigint?]
  const counts = { loans: pool.loanCounter, realizations: pool.realizationCounter, liquidations, auctions }
  if (Object.values(counts).some((count) => count > MOST_RECORDS)) return null
  return { subject, pool, openAuctions, counts }
}

const EMPTY: MarketFigures['pool'] = {
  cash: 0n,
  heldProceeds: 0n,
  escrowedSurplus: 0n,
  infrastructureFees: 0n,
  operatorFees: 0n,
  distributorFees: 0n,
  protocolFees: 0n,
  totalAssets: 0n,
  totalBorrowed: 0n,
  totalCollateral: 0n,
  interestGross: 0n,
  carriedClaims: 0n,
  activeLoans: 0n,
  openAuctions: 0n,
}

/** Nothing is booked, nobody has a share, and there is no record of anything: whatever the others hold is enough. */
const isEmpty = ({ pool, openAuctions, counts }: Books): boolean =>
  (Object.keys(EMPTY) as (keyof typeof EMPTY)[]).every((name) => pool[name] === 0n) &&
  [pool.totalShares, openAuctions, ...Object.values(counts)].every((amount) => amount === 0n)

/** What the others hold for it, what its shares are worth, and its records. */
function holdingsOf({ subject, pool, counts }: Books): Reads {
  const { market, asset, collateralToken, adapter, router, venue } = subject
  const loans = upTo(counts.loans)
  return [
    contractRead(market, lendingMarketAbi, 'toAssets', [pool.totalShares]),
    balanceOf(asset, market),
    balanceOf(collateralToken, adapter),
    balanceOf(collateralToken, router),
    balanceOf(asset, router),
    ...loans.map((id) => contractRead(market, lendingMarketAbi, 'loan', [id])),
    ...loans.map((id) => contractRead(adapter, custodyAdapterAbi, 'pledgeOf', [id])),
    ...upTo(counts.realizations).map((id) => contractRead(market, lendingMarketAbi, 'realization', [id])),
    ...upTo(counts.liquidations).map((id) => contractRead(router, liquidationRouterAbi, 'liquidation', [id])),
    ...(venue ? upTo(counts.auctions).map((id) => contractRead(venue, dutchAuctionVenueAbi, 'auction', [id])) : []),
    ...(venue ? [balanceOf(collateralToken, venue)] : []),
  ]
}

const countHoldings = ({ counts: { loans, realizations, liquidations, auctions } }: Books): number =>
  6 + Number(2n * loans + realizations + liquidations + auctions)

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

function figuresOf({ subject, pool, openAuctions, counts }: Books, holdings: readonly unknown[]): MarketFigures {
  const [sharesWorth = 0n, cashHeld = 0n, escrow = 0n, held = 0n, proceedsHeld = 0n] = holdings as bigint[]
  let at = 5
  const take = <T>(count: bigint): T[] => {
    at += Number(count)
    return holdings.slice(at - Number(count), at) as T[]
  }
  const loans = take<LoanOnChain>(counts.loans)
  const pledges = take<readonly [Address, bigint]>(counts.loans)
  const realizations = take<{ carried: bigint; held: bigint }>(counts.realizations)
  const liquidations = take<LiquidationOnChain>(counts.liquidations)
  const auctions = take<{ remaining: bigint }>(counts.auctions)
  const [venueHeld = 0n] = take<bigint>(1n)
  return {
    market: subject.market,
    pool,
    cashHeld,
    sharesWorth,
    loans: loans.map(({ status, ...loan }, index) => ({
      ...loan,
      isClosed: status === CLOSED,
      pledged: pledges[index]?.[1] ?? 0n,
    })),
    realizations,
    escrow: subject.mode === 'CUSTODY' ? escrow : null,
    router: {
      held,
      booked: sumOf(liquidations.map(({ collateralRemaining }) => collateralRemaining)),
      proceedsHeld,
      proceedsBooked: sumOf(
        liquidations.flatMap(({ settled, proceedsCollected }) => (settled ? [] : [proceedsCollected])),
      ),
    },
    venue: subject.venue
      ? { held: venueHeld, booked: sumOf(auctions.map(({ remaining }) => remaining)), openAuctions }
      : null,
  }
}

/** Markets whose books a node is asked for in one round trip. */
export const inRoundTrips = (subjects: readonly WatchedMarket[]) => packed(subjects, () => 1, SUBJECTS_AT_ONCE)

/**
 * What markets say of themselves, and what others say of them, all at one block: the books of all of them in one round trip, then, for
 * those that are not empty, what is held for them. Null: something did not answer, or there is too much.
 */
export async function readMarkets(
  chain: Chain,
  block: BlockPlace,
  subjects: readonly WatchedMarket[],
): Promise<(MarketFigures | null)[]> {
  const told = await values(chain, block, subjects.map(booksOf))
  const known = subjects.flatMap((subject, index) => {
    const own = told[index]
    return (own && asBooks(subject, own)) ?? []
  })
  const found = new Map<WatchedMarket, MarketFigures>()
  for (const books of known) if (isEmpty(books)) found.set(books.subject, figuresOf(books, []))
  const left = known.filter(({ subject }) => !found.has(subject))
  for (const pack of packed(left, countHoldings, READS_AT_ONCE)) {
    const holdings = await values(chain, block, pack.map(holdingsOf))
    pack.forEach((books, index) => {
      const own = holdings[index]
      if (own) found.set(books.subject, figuresOf(books, own))
    })
  }
  return subjects.map((subject) => found.get(subject) ?? null)
}

export async function readVaults(
  chain: Chain,
  block: BlockPlace,
  subjects: readonly WatchedBalance[],
): Promise<(VaultFigures | null)[]> {
  const figures: (VaultFigures | null)[] = []
  for (const some of packed(subjects, () => 1, SUBJECTS_AT_ONCE)) {
    const reads = some.map(({ vault, token }) => [
      balanceOf(token, vault),
      contractRead(vault, tradingVaultAbi, 'bookedOf', [token]),
    ])
    const found = (await values(chain, block, reads)) as ([bigint, bigint] | null)[]
    some.forEach(({ vault, token }, index) => {
      const own = found[index]
      figures.push(own ? { vault, token, held: own[0], booked: own[1] } : null)
    })
  }
  return figures
}
