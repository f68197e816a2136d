import { lendingOperations } from '@tallystick/wire'
import { eventId } from '../../platform/ids.ts'
import { at, marketWrite, optionalAddress, requirePositive } from '../core/index.ts'
import { signedPriceOf } from '../oracle/index.ts'
import { offeringOf, payoutOf } from './draw.rules.ts'
import { previewOf } from './loan.rules.ts'
import { eventOfLoan, vaultDrawsOf } from './loan-receipt.ts'
import { payeeOf, requireBorrower } from './loan-request.ts'
import { checkOpening } from './opening-checks.ts'
import { stepsBeforePledge } from './pledge-steps.ts'

const call = at('market', 'openLoan', 'LoanOpened')

/** Nothing was stamped where the contract says zero. */
const orNull = (value: number | bigint): number | null => Number(value) || null

/** Pledging collateral for money. */
export const openLoan = marketWrite(lendingOperations.openLoan, {
  call,

  async build({ market, chain, body, cash, tokens, refuse }) {
    const borrower = requireBorrower(body.borrowerAddress, refuse)
    const collateral = requirePositive('collateralAmount', body.collateralAmount, market.collateralDecimals)
    const amount = requirePositive('borrowAmount', body.borrowAmount, market.borrowDecimals)
    const payee = payeeOf(body.payToAddress, borrower, refuse)
    const signed = signedPriceOf(body.signedPrice)
    const opening = { market, borrower, payee, collateral, amount, signed }
    const { block, state, price, terms, fixedBps, draws } = await checkOpening(chain, opening, refuse)
    const given = { collateral, amount, signedPrice: signed }
    const { netDisbursed, transactionFee } = payoutOf(market, state.openFee, amount)
    return {
      block,
      signer: borrower,
      args: payee ? { ...given, payee } : given,
      steps: {
        before: stepsBeforePledge(market, collateral),
        description: `Pledges ${tokens(collateral)} ${market.collateralSymbol} and borrows ${cash(amount)} ${market.borrowSymbol}.`,
      },
      confirmWith: { borrowerAddress: borrower },
      answer: {
        mode: market.mode,
        borrowerAddress: borrower,
        collateralAmount: tokens(collateral),
        borrowAmount: cash(amount),
        payeeAddress: payee,
        payee: payee && {
          address: payee,
          borrowerOfRecord: borrower,
          receives: 'DRAWS' as const,
          netDisbursed,
          fixedForLife: true as const,
          receivesBorrowMore: true as const,
        },
        offering: offeringOf(terms, fixedBps, block.time),
        transactionFee,
        preview: previewOf(market, { collateral, debt: amount, price, ...state.config }),
        vaultDraws: draws.map((draw) => ({ vault: draw.vault, amount: cash(draw.amount) })),
      },
    }
  },

  expect: ({ body }) => ({ borrower: optionalAddress('borrowerAddress', body.borrowerAddress) ?? undefined }),

  proven({ effect, logIndex, transaction }, { market, chain, cash, tokens }) {
    const loanId = effect.loanId.toString()
    const payee = eventOfLoan(market, 'LoanPayeeSet', loanId, transaction)?.payee ?? null
    const fee = eventOfLoan(market, 'OpenFeeCharged', loanId, transaction)?.fee ?? '0'
    return {
      loanId,
      positionId: eventId(chain.chainId, transaction.hash, logIndex, call.operation),
      borrowerAddress: effect.borrower,
      collateralAmount: tokens(effect.collateral),
      borrowAmount: cash(effect.principal),
      netDisbursed: cash(effect.principal - BigInt(String(fee))),
      payeeAddress: payee === null ? null : String(payee),
      paidTo: payee === null ? effect.borrower : String(payee),
      dueAt: orNull(effect.dueAt),
      fixedRateBps: orNull(effect.rateBps),
      vaultDraws: vaultDrawsOf(market, transaction, logIndex),
    }
  },
})
