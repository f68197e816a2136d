import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { shownAuction } from '../auctions/auction.rules.ts'
import { readVenueState } from '../auctions/venue-state.service.ts'
import {
  debtOf,
  healthFactorDown,
  type LoanOnChain,
  previewOf,
  type RealizationTerms,
  shownHealth,
  statusOf,
  termOf,
} from '../loan.rules.ts'
import {
  answered,
  freshPriceReads,
  loanRead,
  loanTermsRead,
  realizationTermsOf,
  requireFreshPrice,
  requireLoan,
} from '../loan-questions.ts'
import { type DeployedRecord, endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import { signedPriceOf } from '../oracle/signed-price.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { deliveryRestriction } from '../router/delivery.reads.ts'
import { ATOMIC_IN_HAND, gasLimitOf } from '../router/gas-limit.rules.ts'
import { bidFault, purseFault } from './atomic-buyer.rules.ts'
import { liquidateCall } from './liquidate.call.ts'
import { findLoanHistory, type LoanHistory } from './loans.store.ts'
import type { ReadinessState } from './readiness.reads.ts'
import type { Readiness } from './readiness.rules.ts'
import { readReadiness } from './readiness.service.ts'
import { buyerReads, pledgeReads } from './seizure.reads.ts'
import { foundOf, type SeizureForecast, seizureOf, smallDebtOf, triggerOf } from './seizure.rules.ts'

type LiquidateBody = BodyOf<typeof lendingOperations.liquidateLoan>

interface Situation {
  readonly record: DeployedRecord
  readonly loanId: bigint
  readonly loan: LoanOnChain
  readonly readiness: Readiness
  readonly state: ReadinessState
  readonly terms: RealizationTerms
  readonly chainTime: number
}

/** The loan that a refusal is about. */
function refusedLoan({ record, loanId, loan, state, terms, chainTime }: Situation, price = state.price) {
  const { collateralDecimals } = record.market
  const threshold = BigInt(terms.liquidationThresholdBps)
  const isClosed = statusOf(loan) === 'CLOSED'
  return {
    loanId: loanId.toString(),
    active: !isClosed,
    healthFactor: isClosed
      ? null
      : shownHealth(healthFactorDown(loan.collateral, price, collateralDecimals, threshold, debtOf(loan))),
    healthFactorThreshold: '1' as const,
    borrower: loan.borrower.toLowerCase(),
    term: termOf(loan, chainTime),
  }
}

/** A loan that nobody else is realizing, on a market that could take its collateral. */
async function requireSeizable(chain: Chain, situation: Situation): Promise<void> {
  const { record, loanId, loan, readiness } = situation
  const { market } = record
  const status = statusOf(loan)
  if (status === 'CLOSED') throw new AppError('LOAN_NOT_ACTIVE', { extra: { readiness, loan: refusedLoan(situation) } })
  if (status === 'IN_AUCTION') {
    const wanted = { venue: readiness.auctionVenue, ids: [], loanId }
    const { venue, ofLoan, auctions, conditions } = await readVenueState(chain, market, wanted, (found) =>
      found.ofLoan === 0n || found.auctions.has(found.ofLoan) ? null : [found.ofLoan],
    )
    const open = auctions.get(ofLoan)
    const auction = open && venue ? { ...shownAuction(market, ofLoan, open, conditions), venueAddress: venue } : null
    throw new AppError('LOAN_IN_AUCTION', { extra: { readiness, loan: { ...refusedLoan(situation), auction } } })
  }
  if (readiness.dutchAuctionEnabled) {
    if (!readiness.auctionVenueAdmitted) throw new AppError('AUCTION_VENUE_NOT_ADMITTED', { extra: { readiness } })
  } else if (!readiness.routerAuthorized || !readiness.routerTokenEligible) {
    throw new AppError('LIQUIDATION_NOT_READY', { extra: { readiness } })
  }
}

interface AtomicSale {
  /** Why the buyer does not buy; null: it does. */
  readonly fault: string | null
  readonly sale?: SeizureForecast
}

/** A router that sells at once needs a buyer who can pay now. */
async function judgeBuyer(
  chain: Chain,
  { record: { market }, loan, state, chainTime }: Situation,
  forecast: (factorBps: bigint) => SeizureForecast,
): Promise<AtomicSale> {
  const { bid, saleRecipient } = state
  const fault = bidFault(bid, state.config.auctionMinBps, chainTime)
  if (fault || !saleRecipient) return { fault: fault ?? 'NO_BID' }
  const sale = forecast(bid.factorBps)
  if (saleRecipient === loan.borrower.toLowerCase()) return { fault: 'SELF_PURCHASE', sale }
  const { results } = await readNamed(chain, buyerReads(market, saleRecipient))
  if (!results.allowance.ok || !results.balance.ok) throw new ChainUnavailableError('the borrow asset did not answer')
  return { fault: purseFault(sale.payment ?? 0n, results.allowance.value, results.balance.value), sale }
}

/** Markets before version 3: without a buyer the whole seizure reverts. */
function noBuyer({ record: { market }, loanId, readiness, state }: Situation, { fault, sale }: AtomicSale) {
  return new AppError('ATOMIC_BUYER_UNAVAILABLE', {
    detail: `The router sells at once, and its buyer cannot pay (${fault}): the seizure would revert.`,
    extra: {
      readiness,
      details: {
        reasonCode: fault,
        saleRecipient: state.saleRecipient,
        routerAddress: market.router,
        loanId: loanId.toString(),
        expectedPayment:
          sale?.payment != null
            ? { amount: formatUnits(sale.payment, market.borrowDecimals), raw: sale.payment.toString() }
            : null,
        collateralAmount: sale?.taken.toString() ?? null,
      },
    },
  })
}

/** In custody the adapter sends the collateral by an ordinary transfer, which the token may refuse. */
async function checkTransfer(chain: Chain, { record, readiness }: Situation, { taken, path }: SeizureForecast) {
  const { market } = record
  const to = path === 'VENUE' ? readiness.auctionVenue : market.router
  if (market.mode !== 'CUSTODY' || taken === 0n || !to) return { ...readiness, collateralTransferChecked: false }
  const delivery = { token: market.collateralToken, from: market.adapter, to, amount: taken }
  const { code, rule } = await deliveryRestriction(chain, delivery)
  const checked = {
    ...readiness,
    collateralTransferChecked: true,
    collateralTransferAllowed: code === 0,
    collateralTransferCode: code,
    collateralTransferRule: rule,
    collateralTransferAmount: formatUnits(taken, market.collateralDecimals),
  }
  if (code !== 0) throw new AppError('COLLATERAL_TRANSFER_RESTRICTED', { extra: { readiness: checked } })
  return checked
}

const noHistory: LoanHistory = { borrower: null, minBorrowAtOpening: null }

/** The seizure of a loan, with what it would take. */
export function createBuildLiquidation({ chains, intents }: LendingParts) {
  return async function build(call: MarketCall, marketId: string, text: string, body: LiquidateBody) {
    const record = await findDeployedMarket(call, marketId)
    const { market } = record
    const { chainId, address, collateralDecimals, borrowDecimals } = market
    const loanId = BigInt(text)
    const signed = signedPriceOf(body.signedPrice)
    const named = body.signerAddress === undefined ? null : parseAddress(body.signerAddress)
    const [history = noHistory] = await call.tenant.read((sql) =>
      findLoanHistory(sql, chainId, address, loanId.toString()),
    )
    const chain = chains.get(chainId)
    const ask = (holder: Address | null) =>
      readReadiness(chain, record, named, {
        loan: loanRead(market, loanId),
        terms: loanTermsRead(market, loanId),
        ...freshPriceReads(market, signed),
        pledge: pledgeReads(market, holder),
      })
    let found = await ask(history.borrower)
    let loan = requireLoan(found.more.loan)
    const borrower = loan.borrower.toLowerCase() as Address
    if (borrower !== history.borrower) {
      found = await ask(borrower)
      loan = requireLoan(found.more.loan)
    }
    const { block, readiness, state, signer } = found
    const { config } = state
    const terms = realizationTermsOf(answered(found.more.terms), config)
    const situation = { record, loanId, loan, readiness, state, terms, chainTime: block.time }
    await requireSeizable(chain, situation)
    if (signed.signature === '0x' && readiness.priceStale) throw new AppError('PRICE_STALE', { extra: { readiness } })
    const price = requireFreshPrice(found.more, signed, block.time)
    const trigger = triggerOf({
      debt: debtOf(loan),
      collateral: loan.collateral,
      price,
      collateralDecimals,
      liquidationThresholdBps: terms.liquidationThresholdBps,
      isPastTerm: termOf(loan, block.time)?.enforceable ?? false,
    })
    if (!trigger)
      throw new AppError('LOAN_NOT_LIQUIDATABLE', { extra: { readiness, loan: refusedLoan(situation, price) } })
    const [locked, balance] = found.more.pledge
    if ((locked && !locked.ok) || (balance && !balance.ok))
      throw new ChainUnavailableError('the pledge could not be read')
    const minBorrowAtOpening =
      history.minBorrowAtOpening === null ? config.minBorrowAmount : BigInt(history.minBorrowAtOpening)
    const forecastAt = (atomicFactorBps: bigint | null) =>
      seizureOf({
        ...config,
        ...terms,
        trigger,
        debt: debtOf(loan),
        collateral: locked && balance ? foundOf(loan.collateral, locked.value, balance.value) : loan.collateral,
        price,
        collateralDecimals,
        termPenaltyBps: Number(loan.termPenaltyBps),
        smallDebt: smallDebtOf(config.minBorrowAmount, minBorrowAtOpening, borrowDecimals),
        atomicFactorBps,
      })
    const isAtomic = !config.useDutchAuction && state.isAtomic
    const atomic = isAtomic ? await judgeBuyer(chain, situation, forecastAt) : null
    if (atomic?.fault && !state.fallsBackToRouter) throw noBuyer(situation, atomic)
    const forecast = atomic?.sale && !atomic.fault ? atomic.sale : forecastAt(null)
    const checked = await checkTransfer(chain, situation, forecast)
    const intent = { chain, pair: liquidateCall, target: address, kind: 'market' }
    const built = await intents.build(intent, { loanId, signed }, readiness.signerAddress, explainLending)
    const { claim, taken, closes, payment } = forecast
    const data = {
      loanId: loanId.toString(),
      ...built,
      ...signer,
      gasLimit: gasLimitOf(built.simulation, isAtomic && state.fallsBackToRouter ? ATOMIC_IN_HAND : undefined),
      forecast: {
        trigger,
        path: forecast.path,
        claim: formatUnits(claim, borrowDecimals),
        penaltyBps: Number(forecast.penaltyBps),
        collateralTaken: formatUnits(taken, collateralDecimals),
        collateralReturned: formatUnits(forecast.returned, collateralDecimals),
        closesLoan: closes,
        writtenOffAtSeizure: formatUnits(forecast.residual, borrowDecimals),
        price: formatUnits(price, borrowDecimals),
        floorValue: formatUnits(forecast.floorValue, borrowDecimals),
        expectedPayment: payment === null ? null : formatUnits(payment, borrowDecimals),
        atomicFault: atomic?.fault ?? null,
      },
      preview: previewOf(market, {
        ...config,
        ...terms,
        collateral: closes ? 0n : loan.collateral - taken,
        debt: closes ? 0n : debtOf(loan) - claim,
        price,
      }),
      readiness: checked,
      confirmWith: {
        endpoint: endpointAt(call.mountedAt, `/liquidations/${marketId}/liquidate/${loanId}`),
        field: 'txHash' as const,
      },
    }
    return { data, block, calls: [built.transaction] }
  }
}
