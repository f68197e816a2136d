import { lendingOperations } from '@tallystick/wire'
import { parseAddress } from '../../platform/chain/address.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { writesOf } from '../../writes/index.ts'
import { at, findDeployedMarket, type MarketSubject, marketSubject, marketTargets } from '../core/index.ts'
import { debtOf, previewOf, termOf } from '../loans/index.rules.ts'
import { loanRead, requireFreshPrice } from '../loans/index.ts'
import { signedPriceOf } from '../oracle/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { ATOMIC_IN_HAND, gasLimitOf, shownSurplus } from '../router/index.rules.ts'
import { settlementIn } from '../router/index.ts'
import { triggerOf } from './seizure.rules.ts'
import { shownForecast, shownReserve, shownSale } from './seizure-answer.ts'
import { checkTransfer, forecastSeizure } from './seizure-forecast.ts'
import { destinationIn, writtenOffIn } from './seizure-receipt.ts'
import { readSituation, refusedLoan, requireSeizable } from './seizure-situation.service.ts'

/** A write on the loan that the path names. */
const loanWrite = writesOf<TwoLegged, LendingParts, MarketSubject & { readonly loanId: bigint }>({
  find: async (parts, asked) => ({
    ...marketSubject(parts, await findDeployedMarket(asked, asked.params.marketId ?? '')),
    loanId: BigInt(asked.params.loanId ?? 0),
  }),
  targets: marketTargets,
  path: ({ marketId, loanId }) => ({ marketId, loanId: loanId.toString() }),
  explain: explainLending,
}).of

/** Realizing a loan that is unhealthy or past its term. */
export const liquidateLoan = loanWrite(lendingOperations.liquidateLoan, {
  call: at('market', 'liquidate', 'LoanLiquidated'),

  async build({ tenant, record, market, loanId, chain, body, cash, tokens, refuse }) {
    const signed = signedPriceOf(body.signedPrice)
    const named = body.signerAddress === undefined ? null : parseAddress(body.signerAddress)
    const situation = await readSituation({ chain, tenant, record, loanId, named, signed }, refuse)
    const { block, loan, readiness, state, terms } = situation
    await requireSeizable(chain, situation, refuse)
    if (signed.signature === '0x' && readiness.priceStale) throw refuse('PRICE_STALE', { extra: { readiness } })
    const price = requireFreshPrice(situation.more, signed, block.time, refuse)
    const trigger = triggerOf({
      debt: debtOf(loan),
      collateral: loan.collateral,
      price,
      collateralDecimals: market.collateralDecimals,
      liquidationThresholdBps: terms.liquidationThresholdBps,
      isPastTerm: termOf(loan, block.time)?.enforceable ?? false,
    })
    if (!trigger) throw refuse('LOAN_NOT_LIQUIDATABLE', { extra: { readiness, loan: refusedLoan(situation, price) } })
    const { forecast, isAtomic, atomicFault } = await forecastSeizure(chain, situation, { trigger, price }, refuse)
    const checked = await checkTransfer(chain, situation, forecast, refuse)
    const { claim, taken, closes } = forecast
    return {
      block,
      signer: readiness.signerAddress,
      args: { loanId, signedPrice: signed },
      answer: (simulation) => ({
        loanId: loanId.toString(),
        ...situation.signer,
        gasLimit: gasLimitOf(simulation, isAtomic && state.fallsBackToRouter ? ATOMIC_IN_HAND : undefined),
        forecast: shownForecast({ trigger, price, forecast, atomicFault }, { cash, tokens }),
        preview: previewOf(market, {
          ...state.config,
          ...terms,
          collateral: closes ? 0n : loan.collateral - taken,
          debt: closes ? 0n : debtOf(loan) - claim,
          price,
        }),
        readiness: checked,
      }),
    }
  },

  expect: ({ loanId }) => ({ loanId }),

  async along({ effect, transaction }, { chain, market, loanId, refuse }) {
    const went = destinationIn(market, transaction.logs, effect)
    if (effect.collateral !== 0n && !went) throw refuse('TX_NOT_VERIFIED')
    const { results } = await chain.read([loanRead(market, loanId)])
    const [loan] = results
    if (!loan.ok) throw new ChainUnavailableError('the market did not answer')
    return { seen: { went, borrower: loan.value.borrower.toLowerCase() } }
  },

  proven({ effect, logIndex, transaction }, { market, cash, tokens }, { went, borrower }) {
    const { logs, block } = transaction
    const { realizationId, claim, collateral } = effect
    const settled = settlementIn(market.address, logs, realizationId, logIndex)
    const writtenOff = writtenOffIn(market, logs, realizationId)
    const sale = went?.sale
    return {
      loanId: effect.loanId.toString(),
      liquidationId: went?.liquidationId ?? null,
      marketLiquidationId: realizationId.toString(),
      auctionId: went?.auctionId ?? null,
      collateralSeized: tokens(collateral),
      debtRepaid: cash(claim),
      borrower,
      termRealization: effect.isTerm,
      status: settled || collateral === 0n ? ('SETTLED' as const) : ('PENDING' as const),
      realization: went?.path ?? null,
      buyer: sale?.buyer ?? null,
      proceeds: settled && cash(settled.proceeds),
      usdcProceeds: settled && cash(settled.proceeds),
      surplus: settled && shownSurplus(settled.surplus, cash),
      reserve: shownReserve(claim, settled, writtenOff, cash),
      writtenOffAtSeizure: cash(writtenOff?.amount ?? 0n),
      ...(sale
        ? {
            sale: shownSale(sale, { cash, tokens }),
            settledTxHash: transaction.hash,
            settledAt: new Date(block.time * 1000).toISOString(),
          }
        : {}),
    }
  },
})
