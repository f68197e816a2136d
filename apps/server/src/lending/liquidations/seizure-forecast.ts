import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { debtOf } from '../loans/index.rules.ts'
import { bidFloor, bidProblem, purseProblem } from '../router/index.rules.ts'
import { deliveryRestriction } from '../router/index.ts'
import { buyerReads } from './seizure.reads.ts'
import { foundOf, type SeizureForecast, seizureOf, smallDebtOf, type Trigger } from './seizure.rules.ts'
import type { Situation } from './seizure-situation.service.ts'

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
  const fault = bidProblem(bid, bidFloor(state.config.auctionMinBps), chainTime)
  if (fault || !saleRecipient) return { fault: fault ?? 'NO_BID' }
  const sale = forecast(bid.priceFactorBps)
  if (saleRecipient === loan.borrower.toLowerCase()) return { fault: 'SELF_PURCHASE', sale }
  const { results } = await readNamed(chain, buyerReads(market, saleRecipient))
  if (!results.allowance.ok || !results.balance.ok) throw new ChainUnavailableError('the borrow asset did not answer')
  const purse = { allowance: results.allowance.value, balance: results.balance.value }
  return { fault: purseProblem({ ...purse, payment: sale.payment ?? 0n }), sale }
}

/** Markets before version 3: without a buyer the whole seizure reverts. */
function noBuyer({ record: { market }, loanId, readiness, state }: Situation, { fault, sale }: AtomicSale) {
  return {
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
  }
}

/** What the seizure would take, and where to; and what its sale at once would fail at. */
export async function forecastSeizure(
  chain: Chain,
  situation: Situation,
  { trigger, price }: { readonly trigger: Trigger; readonly price: bigint },
  refuse: Refuse<'ATOMIC_BUYER_UNAVAILABLE'>,
) {
  const { record, loan, state, terms, minBorrowAtOpening, more } = situation
  const { collateralDecimals, borrowDecimals } = record.market
  const { config } = state
  const [locked, balance] = more.pledge
  if ((locked && !locked.ok) || (balance && !balance.ok))
    throw new ChainUnavailableError('the pledge could not be read')
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
  if (atomic?.fault && !state.fallsBackToRouter) throw refuse('ATOMIC_BUYER_UNAVAILABLE', noBuyer(situation, atomic))
  const forecast = atomic?.sale && !atomic.fault ? atomic.sale : forecastAt(null)
  return { forecast, isAtomic, atomicFault: atomic?.fault ?? null }
}

/** In custody the adapter sends the collateral by an ordinary transfer, which the token may refuse. */
export async function checkTransfer(
  chain: Chain,
  { record: { market }, readiness }: Situation,
  { taken, path }: SeizureForecast,
  refuse: Refuse<'COLLATERAL_TRANSFER_RESTRICTED'>,
) {
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
  if (code !== 0) throw refuse('COLLATERAL_TRANSFER_RESTRICTED', { extra: { readiness: checked } })
  return checked
}
