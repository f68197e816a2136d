import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { refuse } from '../../platform/app-error.ts'
import type { ReadResult } from '../../platform/chain/contract-read.ts'
import { assetOf, type Market } from '../core/index.rules.ts'
import { type DeployedRecord, findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { type BuyerReason, buyerProblem, buyerReason, MAX_BID_BPS, MIN_BID_BPS, shownBid } from './atomic.rules.ts'
import * as store from './atomic.store.ts'
import { type AtomicState, readAtomic } from './atomic-state.ts'
import { instantOf } from './instants.ts'
import { namedSigner, partyReads } from './signer.ts'

/** The record's word for the sale recipient, so that its purse is asked for in the first round trip. */
export async function guessRecipient(
  { tenant }: Pick<MarketCall, 'tenant'>,
  { chainId, router }: Market,
): Promise<Address | null> {
  const [known] = await tenant.read((sql) => store.findSaleRecipient(sql, chainId, router))
  return known?.recipient ?? null
}

const money = (raw: bigint, { borrowDecimals }: Market) => ({
  amount: formatUnits(raw, borrowDecimals),
  raw: raw.toString(),
})
const known = (result: ReadResult<boolean> | undefined) => (result?.ok ? result.value : null)

/** Whether the sale recipient could buy anything now. Null: something that decides could not be read. */
export function problemOf(state: AtomicState, chainTime: number): BuyerReason | null | 'UNREAD' {
  const { bid, floorBps, isFresh, allowance, balance } = state
  // What does not answer is left out of the question; the question stays open unless something else decides it.
  const unread = isFresh === null || allowance === null || balance === null
  const problem = buyerProblem({
    bid,
    floorBps,
    chainTime,
    isStale: isFresh === false,
    allowance: allowance ?? 1n,
    balance: balance ?? 1n,
    payment: 1n,
    isBorrower: false,
  })
  return problem ?? (unread ? 'UNREAD' : null)
}

function verdictOf({ saleRecipient, basis }: AtomicState, problem: BuyerReason | null | 'UNREAD') {
  if (saleRecipient === null)
    return { code: 'SALE_RECIPIENT_NOT_SET' as const, reasonCode: null, reason: 'No sale recipient is designated yet.' }
  if (basis.reasonCode !== null)
    return { code: 'ATOMIC_SALE_UNAVAILABLE' as const, reasonCode: basis.reasonCode, reason: basis.reason }
  if (problem === null || problem === 'UNREAD') return { code: null, reasonCode: null, reason: null }
  return { code: 'ATOMIC_BUYER_UNAVAILABLE' as const, reasonCode: problem, reason: buyerReason(problem) }
}

const signerReads = (record: DeployedRecord, named: Address) => [
  ...partyReads(record, 'routerAdmin', [named]),
  ...partyReads(record, 'operator', [named]),
]

/** Whether a market sells what it seizes at once, and what stands in the way. */
export function createAtomicSale({ chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string, signerAddress: string | undefined) {
      const named = namedSigner(signerAddress)
      const record = await findDeployedMarket(call, marketId)
      const { market } = record
      const guess = await guessRecipient(call, market)
      const roles = named ? signerReads(record, named) : []
      const { block, state, roles: held } = await readAtomic(chains.get(market.chainId), market, guess, refuse, roles)
      const signer = named
        ? {
            signerAddress: named,
            isSaleRecipient: named === state.saleRecipient,
            isRouterAdmin: known(held[0]),
            isRouterOperator: known(held[1]),
          }
        : null
      const problem = state.saleRecipient === null ? 'NO_BID' : problemOf(state, block.time)
      const buyerAvailable = problem === 'UNREAD' ? null : problem === null
      const { basis, allowance, balance, announced, isAtomic, usesAuctions } = state
      const available = basis.available
      const bid = shownBid(state.bid, state.floorBps, block.time)
      const unverifiedSections = [
        ...(basis.available === null ? (['saleBasis'] as const) : []),
        ...(allowance === null ? (['allowance'] as const) : []),
        ...(balance === null ? (['balance'] as const) : []),
        ...(state.isFresh === null || state.price === null ? (['price'] as const) : []),
        ...(held.some(({ ok }) => !ok) ? (['signer'] as const) : []),
      ]
      const data = {
        marketId,
        marketAddress: market.address,
        routerAddress: market.router,
        supported: { router: true as const, market: true as const },
        available,
        saleBasis: basis,
        mode: isAtomic ? 1 : 0,
        modeName: isAtomic ? ('ATOMIC' as const) : ('TWO_STEP' as const),
        effective: !isAtomic || usesAuctions ? false : buyerAvailable,
        dutchAuctionEnabled: usesAuctions,
        saleRecipient: state.saleRecipient,
        saleRecipientLenderSide: state.isLenderSide,
        announced: announced && {
          saleRecipient: announced.recipient,
          activatesAt: announced.activatesAt,
          activatesAtIso: instantOf(announced.activatesAt),
        },
        openLiquidations: state.openLiquidations,
        bid,
        floor: { priceFactorBps: state.floorBps },
        limits: { minPriceFactorBps: MIN_BID_BPS, maxPriceFactorBps: MAX_BID_BPS },
        settlementAsset: assetOf(market),
        allowance: allowance === null || state.saleRecipient === null ? null : money(allowance, market),
        balance: balance === null || state.saleRecipient === null ? null : money(balance, market),
        expectedPayment: null,
        buyerAvailable,
        ...verdictOf(state, problem),
        signer,
        readFailed: unverifiedSections.length > 0,
        unverifiedSections,
      }
      return { data, block }
    },
  }
}

export type AtomicSale = ReturnType<typeof createAtomicSale>
