import type { lendingOperations, QueryOf } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import { abis } from '../contracts.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import { type LoanOnChain, statusOf } from '../loans/index.rules.ts'
import type { LendingParts } from '../parts.ts'
import { shownCompliance } from './compliance.rules.ts'
import { findIntact } from './intact.ts'
import { BELOW_ALL } from './loan-events.rules.ts'
import { readLoanState, readLoans } from './loan-state.ts'
import { pledgeOf } from './pledge.rules.ts'
import { findRow } from './positions.store.ts'
import { shownLoan } from './shown-loan.rules.ts'
import { listLoanIds } from './wallet-loans.store.ts'

type LoansQuery = QueryOf<typeof lendingOperations.listUserLoans>

const PAYEE_LOANS = 50

function requireWallet(text: string): Address {
  const wallet = parseAddress(text)
  if (!wallet)
    throw fieldError('VALIDATION_ERROR', [{ field: 'userAddress', message: 'is no address with a valid checksum' }])
  return wallet
}

/** Loans as the chain has them now, each answer from one block. */
export function createLoans({ chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string, text: string) {
      const { tenant } = call
      const { market } = await findDeployedMarket(call, marketId)
      const [[row], isIntact] = await Promise.all([
        tenant.read((sql) => findRow(sql, market, { loanId: text })),
        findIntact(tenant, market),
      ])
      const loanId = BigInt(text)
      const { block, loan, measure, judged } = await readLoanState(
        chains.get(market.chainId),
        market,
        loanId,
        pledgeOf(row),
      )
      if (statusOf(loan) === 'NONE') throw new AppError('LOAN_NOT_FOUND')
      const data = {
        ...shownLoan(market, loanId, loan, measure),
        collateralIntact: isIntact(loan),
        compliance: shownCompliance(market, judged),
      }
      return { data, block }
    },

    async ofWallet(call: MarketCall, marketId: string, userAddress: string, query: LoansQuery) {
      const { tenant } = call
      const { market } = await findDeployedMarket(call, marketId)
      const wallet = requireWallet(userAddress)
      const { limit } = pageOf(query, { fallback: 50, most: 200 })
      const [below = BELOW_ALL] = readCursor(query.cursor, /^\d{1,15}$/) ?? []
      const idsAs = (as: 'borrower' | 'payee', from: string, most: number) =>
        tenant.read((sql) => listLoanIds(sql, market, { wallet, as, below: from, limit: most }))
      const [held, received, isIntact] = await Promise.all([
        idsAs('borrower', below, limit + 1),
        idsAs('payee', BELOW_ALL, PAYEE_LOANS),
        findIntact(tenant, market),
      ])
      const page = held.slice(0, limit).map(({ loanId }) => loanId)
      const paid = received.map(({ loanId }) => loanId)
      const { block, measureOf, loans } = await readLoans(chains.get(market.chainId), market, [
        ...new Set([...page, ...paid]),
      ])
      const shown = (loanIds: readonly bigint[], isWanted: (loan: LoanOnChain) => boolean) =>
        loanIds.flatMap((loanId) => {
          const loan = loans.get(loanId)
          if (!loan || statusOf(loan) === 'NONE' || !isWanted(loan)) return []
          return [{ ...shownLoan(market, loanId, loan, measureOf(loanId)), collateralIntact: isIntact(loan) }]
        })
      const last = page.at(-1)
      const data = {
        userAddress: wallet,
        // A loan that was moved to another wallet is no longer this one's.
        loans: shown(page, ({ borrower }) => borrower.toLowerCase() === wallet),
        payeeLoans: shown(paid, ({ payee }) => payee.toLowerCase() === wallet),
        limit,
        nextCursor: held.length > limit && last !== undefined ? asCursor([last.toString()]) : null,
      }
      return { data, block }
    },

    async collateralOf(call: MarketCall, marketId: string, userAddress: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const wallet = requireWallet(userAddress)
      const { block, results } = await chains
        .get(market.chainId)
        .read([contractRead(market.address, abis.market, 'collateralOf', [wallet])])
      const [collateral] = results
      if (!collateral.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
      const data = { userAddress: wallet, collateral: formatUnits(collateral.value, market.collateralDecimals) }
      return { data, block }
    },
  }
}

export type LoansService = ReturnType<typeof createLoans>
