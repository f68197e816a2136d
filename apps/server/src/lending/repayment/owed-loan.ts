import { type Address, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { debtOf, previewOf } from '../loans/index.rules.ts'
import { answered, loanRead, loanTermsRead, realizationTermsOf, requireOpenLoan } from '../loans/index.ts'
import { permitReads } from './permit.reads.ts'

/** A loan, and what decides about it. */
export function standingReads(market: Market, loanId: bigint) {
  return {
    loan: loanRead(market, loanId),
    terms: loanTermsRead(market, loanId),
    config: contractRead(market.address, abis.market, 'config', []),
    flatFees: contractRead(market.address, abis.market, 'flatFees', []),
    price: contractRead(market.oracle, abis.oracle, 'price', []),
  } as const
}

/** A loan that is open, what it owes, and what its payer could sign. */
export async function readOwedLoan(chain: Chain, market: Market, loanId: bigint, wished: Address | null) {
  const readFor = (payer: Address) =>
    readNamed(chain, { ...standingReads(market, loanId), ...permitReads(market, payer) })
  let payer = wished ?? zeroAddress
  let { block, results } = await readFor(payer)
  if (!wished && results.loan.ok) {
    // The borrower pays: only the loan tells who that is. All is read again, so that the answer is of one block.
    payer = results.loan.value.borrower.toLowerCase() as Address
    const again = await readFor(payer)
    block = again.block
    results = again.results
  }
  const { loan: read, terms, config, flatFees, price, ...permit } = results
  if (!read.ok || !config.ok || !flatFees.ok || !price.ok) throw new AppError('LOAN_STATE_UNAVAILABLE')
  const loan = requireOpenLoan(read)
  const debt = debtOf(loan)
  if (debt === 0n) throw new AppError('NO_OUTSTANDING_DEBT')
  const [, repayFee] = flatFees.value
  return {
    block,
    loanId,
    loan,
    debt,
    repayFee,
    payer,
    permit,
    /** The loan once this much came off its debt. */
    preview: (discharged: bigint) =>
      previewOf(market, {
        ...config.value,
        ...realizationTermsOf(answered(terms), config.value),
        collateral: discharged === debt ? 0n : loan.collateral,
        debt: debt - discharged,
        price: price.value,
      }),
  }
}

export type OwedLoan = Awaited<ReturnType<typeof readOwedLoan>>
