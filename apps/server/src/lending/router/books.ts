import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { type NamedResults, readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { debtOf, isOpen } from '../loans/index.rules.ts'
import { loanRead } from '../loans/index.ts'
import { statusOf } from './liquidation-id.rules.ts'
import type { Located } from './lookup.ts'
import type { Surroundings } from './waterfall.rules.ts'

export const realizationRead = (market: Market, realizationId: bigint) =>
  contractRead(market.address, abis.market, 'realization', [realizationId])

/** Where the other books of a record are kept: its loan never changes, fund and sale recipient of the market may. */
interface Shelf {
  readonly loanId: bigint
  readonly fund: Address
  readonly saleRecipient: Address
}

export async function findShelf(
  { chain, record: { market }, realizationId }: Located,
  refuse: Refuse<'ROUTER_UNREADABLE'>,
): Promise<Shelf> {
  const { results } = await readNamed(chain, {
    realization: realizationRead(market, realizationId),
    parts: contractRead(market.address, abis.market, 'parts', []),
    recipient: contractRead(market.router, abis.router, 'saleRecipient', []),
  })
  const { realization, parts, recipient } = results
  if (!realization.ok || !parts.ok || !recipient.ok) throw refuse('ROUTER_UNREADABLE')
  return {
    loanId: BigInt(realization.value.loanId),
    fund: parts.value.fund,
    saleRecipient: recipient.value.toLowerCase() as Address,
  }
}

/** Everything that decides where the cash of a record goes. */
export function booksReads(
  { record: { market }, realizationId }: Located,
  { loanId, fund }: Pick<Shelf, 'loanId' | 'fund'>,
) {
  return {
    realization: realizationRead(market, realizationId),
    loan: loanRead(market, loanId),
    arrears: contractRead(market.address, abis.market, 'arrearsOf', [loanId]),
    coverable: contractRead(fund, abis.fund, 'coverableFor', [market.address]),
  } as const
}

export function requireBooks(
  { realization, loan, arrears, coverable }: NamedResults<ReturnType<typeof booksReads>>,
  refuse: Refuse<'ROUTER_UNREADABLE'>,
) {
  if (!realization.ok || !loan.ok || !arrears.ok) throw refuse('ROUTER_UNREADABLE')
  const around: Surroundings = {
    arrears: arrears.value,
    loanDebt: isOpen(loan.value) ? debtOf(loan.value) : 0n,
    // A fund that does not answer pays nothing and blocks nothing.
    coverable: coverable.ok ? coverable.value : 0n,
  }
  return { realization: realization.value, loan: loan.value, around }
}

/** A record that the market has not closed yet. */
export function requirePending({ status }: { readonly status: number }, refuse: Refuse<'ALREADY_SETTLED'>): void {
  if (statusOf(status) !== 'PENDING') throw refuse('ALREADY_SETTLED')
}
