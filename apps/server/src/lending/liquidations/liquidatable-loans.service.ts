import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import {
  auctionsIn,
  conditionsIn,
  type KnownAuctions,
  knownAuctions,
  venueStateReads,
  wiredParts,
} from '../auctions/index.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, findDeployedMarket, type MarketCall } from '../core/index.ts'
import { type LoanOnChain, statusOf } from '../loans/index.rules.ts'
import { answered, loanRead, loanTermsRead, realizationTermsOf } from '../loans/index.ts'
import type { LendingParts } from '../parts.ts'
import { auctionedLoan, liquidatableLoan, termedLoan } from './loan-book.rules.ts'
import { findKnownLoans, type KnownLoans } from './loans.store.ts'

const unavailable = () => new AppError('MARKET_STATE_UNAVAILABLE')
const after = (from: bigint, to: bigint) =>
  Array.from({ length: Number(to - from) }, (_, index) => from + BigInt(index) + 1n)

/** Every open loan and every open auction at one block. What the record did not know yet costs a second round trip. */
async function readBook(chain: Chain, { market, venue }: DeployedRecord, loans: KnownLoans, known: KnownAuctions) {
  let at = { venue, auctions: known.open.map(({ auctionId }) => BigInt(auctionId)), auctionsTo: BigInt(known.knownTo) }
  let ids = loans.open.map(BigInt)
  let loansTo = BigInt(loans.knownTo)
  for (let turn = 0; turn < 4; turn++) {
    const { block, results } = await readNamed(chain, {
      ...venueStateReads(market, at.venue, at.auctions),
      pool: contractRead(market.address, abis.market, 'pool', []),
      config: contractRead(market.address, abis.market, 'config', []),
      price: contractRead(market.oracle, abis.oracle, 'price', []),
      loans: ids.map((id) => loanRead(market, id)),
      terms: ids.map((id) => loanTermsRead(market, id)),
    })
    const wired = wiredParts(results)
    const conditions = conditionsIn(results, block.time)
    const { pool, config, price } = results
    if (!wired || !conditions || !pool.ok || !config.ok || !price.ok) throw unavailable()
    const [count] = results.count
    if (wired.venue !== at.venue) at = { venue: wired.venue, auctions: [], auctionsTo: 0n }
    else if (count && !count.ok) throw unavailable()
    else if (count && count.value > at.auctionsTo)
      at = { ...at, auctions: [...at.auctions, ...after(at.auctionsTo, count.value)], auctionsTo: count.value }
    else if (pool.value.loanCounter <= loansTo) {
      const auctions = auctionsIn(results, at.venue ? at.auctions : [])
      const found = new Map<bigint, LoanOnChain>()
      for (const [index, id] of ids.entries()) {
        const loan = results.loans[index]
        if (!loan?.ok) throw unavailable()
        found.set(id, loan.value)
      }
      if (!auctions) throw unavailable()
      const answers = new Map(ids.map((id, index) => [id, answered(results.terms[index])]))
      const termsOf = (id: bigint) => realizationTermsOf(answers.get(id) ?? null, config.value)
      return { block, pool: pool.value, price: price.value, conditions, auctions, loans: found, termsOf }
    }
    if (pool.value.loanCounter > loansTo) {
      const later = after(loansTo, pool.value.loanCounter).filter((id) => !ids.includes(id))
      ids = [...ids, ...later]
      loansTo = pool.value.loanCounter
    }
  }
  throw unavailable()
}

/** Which loans of a market can be realized now. */
export function createLiquidatableLoans({ chains }: LendingParts) {
  return async function list(call: MarketCall, marketId: string) {
    const record = await findDeployedMarket(call, marketId)
    const { market } = record
    const { chainId, address } = market
    const [known] = await call.tenant.read((sql) => findKnownLoans(sql, chainId, address))
    const auctionsKnown = await knownAuctions(call.tenant, record)
    const book = await readBook(chains.get(chainId), record, known ?? { open: [], knownTo: '0' }, auctionsKnown)
    const { block, price, conditions, termsOf } = book
    const rules = { market, price, chainTime: block.time, termsOf }
    const all = [...book.loans].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const active = all.filter(([, loan]) => statusOf(loan) === 'ACTIVE')
    const data = {
      totalActiveLoans: Number(book.pool.activeLoans),
      price: formatUnits(price, market.borrowDecimals),
      priceStale: conditions.isPriceStale,
      liquidatableLoans: active.flatMap(([id, loan]) => liquidatableLoan(rules, id, loan) ?? []),
      termedLoans: all.flatMap(([id, loan]) => termedLoan(rules, id, loan) ?? []),
      auctionedLoans: all
        .filter(([, loan]) => statusOf(loan) === 'IN_AUCTION')
        .map(([id, loan]) => auctionedLoan(rules, id, loan, book.auctions, conditions)),
    }
    return { data, block }
  }
}

export type ListLiquidatableLoans = ReturnType<typeof createLiquidatableLoans>
