import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { eventId } from '../../platform/ids.ts'
import { previewOf } from '../loan.rules.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import { signedPriceOf } from '../oracle/signed-price.ts'
import type { LendingParts } from '../parts.ts'
import { optionalAddress, requirePositive } from '../request-fields.ts'
import { buildSteps } from '../steps.ts'
import { offeringOf, payoutOf } from './draw.rules.ts'
import { eventOfLoan, vaultDrawsOf } from './loan-receipt.ts'
import { payeeOf, requireBorrower } from './loan-request.ts'
import { openLoanCall } from './open-loan.call.ts'
import { checkOpening } from './opening.checks.ts'
import { pledgeSteps } from './pledge-steps.ts'

type OpenLoanBody = BodyOf<typeof lendingOperations.openLoan>

/** Pledging collateral for money. */
export function createOpenLoan({ clock, chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: OpenLoanBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const borrower = requireBorrower(body.borrowerAddress)
      const collateral = requirePositive('collateralAmount', body.collateralAmount, market.collateralDecimals)
      const amount = requirePositive('borrowAmount', body.borrowAmount, market.borrowDecimals)
      const payee = payeeOf(body.payToAddress, borrower)
      const signed = signedPriceOf(body.signedPrice)
      const chain = chains.get(market.chainId)
      const wish = { market, borrower, payee, collateral, amount, signed }
      const { block, state, price, terms, fixedBps, draws } = await checkOpening(chain, wish)

      const cash = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      const pledged = formatUnits(collateral, market.collateralDecimals)
      const planned = pledgeSteps(market, collateral, {
        call: openLoanCall.prepare(market.address, { collateral, amount, payee, signed }),
        functionName: openLoanCall.functionName,
        description: `Pledges ${pledged} ${market.collateralSymbol} and borrows ${cash(amount)} ${market.borrowSymbol}.`,
      })
      const { built, calls } = await buildSteps(chain, borrower, planned, clock)
      const { netDisbursed, transactionFee } = payoutOf(market, state.openFee, amount)
      const data = {
        ...built,
        confirmStepIndex: planned.length - 1,
        mode: market.mode,
        borrowerAddress: borrower,
        collateralAmount: pledged,
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
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/positions/${marketId}/open-loan`),
          field: 'txHash' as const,
          body: { borrowerAddress: borrower, txHash: null },
        },
      }
      return { data, block, calls }
    },

    async confirm(call: MarketCall, marketId: string, body: OpenLoanBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const named = optionalAddress('borrowerAddress', body.borrowerAddress)
      const chain = chains.get(market.chainId)
      const intent = { chain, pair: openLoanCall, target: market.address, kind: 'market' }
      const proof = await intents.confirm(call.tenant, intent, { borrower: named }, body.txHash as Hex)
      const { effect, logIndex, transaction, verifiedBy } = proof
      const loanId = String(effect.loanId)
      const borrower = String(effect.borrower) as Address
      const payee = eventOfLoan(market, 'LoanPayeeSet', loanId, transaction)?.payee ?? null
      const fee = eventOfLoan(market, 'OpenFeeCharged', loanId, transaction)?.fee ?? '0'
      const principal = BigInt(String(effect.principal))
      const cash = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      const data = {
        txHash: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        loanId,
        positionId: eventId(chain.chainId, transaction.hash, logIndex, openLoanCall.operation),
        borrowerAddress: borrower,
        collateralAmount: formatUnits(BigInt(String(effect.collateral)), market.collateralDecimals),
        borrowAmount: cash(principal),
        netDisbursed: cash(principal - BigInt(String(fee))),
        payeeAddress: payee === null ? null : String(payee),
        paidTo: payee === null ? borrower : String(payee),
        dueAt: orNull(effect.dueAt),
        fixedRateBps: orNull(effect.rateBps),
        vaultDraws: vaultDrawsOf(market, transaction, logIndex),
      }
      return { data, block: transaction.block }
    },
  }
}

const orNull = (value: unknown): number | null => (Number(value) === 0 ? null : Number(value))

export type OpenLoan = ReturnType<typeof createOpenLoan>
