import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { asShapeB } from '../built.ts'
import { debtOf, isOpen, type LoanOnChain, previewOf } from '../loan.rules.ts'
import { freshPriceReads, loanRead, requireCurator, requireFreshPrice, requireLoan } from '../loan-questions.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import { signedPriceOf } from '../oracle/signed-price.ts'
import type { LendingParts } from '../parts.ts'
import { requirePositive } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { borrowMoreCall } from './borrow-more.call.ts'
import { forecastDraws, payoutOf } from './draw.rules.ts'
import { type DrawState, drawReads, requireDrawState, vaultsAsked } from './draw-state.ts'
import { askForeign } from './foreign.reads.ts'
import { paidToOf, vaultDrawsOf } from './loan-receipt.ts'

type BorrowMoreBody = BodyOf<typeof lendingOperations.borrowMore>

const lower = (address: Address) => address.toLowerCase() as Address

/** The price that the call would find; null: it would find none, and say so itself. */
function priceOrNull(...asked: Parameters<typeof requireFreshPrice>): bigint | null {
  try {
    return requireFreshPrice(...asked)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'MARKET_STATE_UNAVAILABLE') return null
    throw error
  }
}

function previewAfter(market: Market, loan: LoanOnChain, { config }: DrawState, amount: bigint, price: bigint | null) {
  if (price === null || !isOpen(loan)) return null
  return previewOf(market, { collateral: loan.collateral, debt: debtOf(loan) + amount, price, ...config })
}

/** Drawing more on a loan that is open. */
export function createBorrowMore({ chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: BorrowMoreBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const loanId = BigInt(body.loanId)
      const amount = requirePositive('amount', body.amount, market.borrowDecimals)
      const signed = signedPriceOf(body.signedPrice)
      const chain = chains.get(market.chainId)
      const { block, results } = await readNamed(chain, {
        ...drawReads(market),
        loan: loanRead(market, loanId),
        ...freshPriceReads(market, signed),
      })
      const state = requireDrawState(results)
      requireCurator(state)
      const loan = requireLoan(results.loan)
      const price = priceOrNull(results, signed, block.time)
      const borrower = lower(loan.borrower)
      const payee = loan.payee === zeroAddress ? null : lower(loan.payee)

      const vaults = vaultsAsked(state, amount)
      const foreign = vaults.length > 0 ? await askForeign(chain, block, { market, holder: borrower, vaults }) : null
      const forecast = forecastDraws(
        state.pool,
        amount,
        vaults.map((vault, index) => ({ vault, drawable: foreign?.drawable[index] ?? null })),
      )
      const intent = { chain, pair: borrowMoreCall, target: market.address, kind: 'market' }
      const built = await intents.build(intent, { loanId, amount, signed }, borrower, explainLending)
      const cash = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      const data = {
        ...asShapeB(built),
        loanId: body.loanId,
        amount: cash(amount),
        paidTo: payee ?? borrower,
        payeeAddress: payee,
        transactionFee: payoutOf(market, state.openFee, amount).transactionFee,
        preview: previewAfter(market, loan, state, amount, price),
        // A draw that does not suffice reverts, and takes nothing from anybody.
        vaultDraws: forecast.suffices ? forecast.draws.map((draw) => ({ ...draw, amount: cash(draw.amount) })) : [],
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/positions/${marketId}/borrow-more`),
          field: 'txHash' as const,
          body: { loanId: body.loanId, amount: cash(amount), txHash: null },
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, body: BorrowMoreBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const expected = {
        loanId: BigInt(body.loanId),
        amount: requirePositive('amount', body.amount, market.borrowDecimals),
      }
      const chain = chains.get(market.chainId)
      const intent = { chain, pair: borrowMoreCall, target: market.address, kind: 'market' }
      const proof = await intents.confirm(call.tenant, intent, expected, body.txHash as Hex)
      const { effect, logIndex, transaction, verifiedBy } = proof
      const data = {
        txHash: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        loanId: body.loanId,
        additionalBorrow: formatUnits(BigInt(String(effect.amount)), market.borrowDecimals),
        paidTo: paidToOf(market, transaction, logIndex),
        vaultDraws: vaultDrawsOf(market, transaction, logIndex),
      }
      return { data, block: transaction.block }
    },
  }
}

export type BorrowMore = ReturnType<typeof createBorrowMore>
