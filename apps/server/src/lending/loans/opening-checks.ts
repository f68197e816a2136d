import type { LegCodeOf, lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import type { SignedPrice } from '../oracle/index.rules.ts'
import { forecastDraws } from './draw.rules.ts'
import { type DrawState, drawReads, requireDrawState, vaultsAsked } from './draw-state.ts'
import { askForeign, type ForeignAnswers } from './foreign.reads.ts'
import { capacityDown } from './loan.rules.ts'
import { freshPriceReads, requireCurator, requireFreshPrice } from './loan-questions.ts'
import { requireAllowedPayee } from './payee-checks.ts'
import { requireAdapter, requirePledgeable, requireWithinCaps } from './pledge-checks.ts'

/** A loan that somebody wants to open. */
interface NewLoan {
  readonly market: Market
  readonly borrower: Address
  /** Null: the borrower. */
  readonly payee: Address | null
  readonly collateral: bigint
  readonly amount: bigint
  readonly signed: SignedPrice
}

const registerOf = ({ parts }: DrawState): Address | null =>
  BigInt(parts.borrowerRegistry) === 0n ? null : (parts.borrowerRegistry.toLowerCase() as Address)

function requireVerified(
  { borrower, payee }: NewLoan,
  register: Address | null,
  { registered }: ForeignAnswers,
  refuse: Refuse<'IDENTITY_NOT_VERIFIED' | 'PAYEE_NOT_VERIFIED'>,
) {
  const unverified = (account: Address) => ({ extra: { details: { register, account } } })
  const [first, second] = registered
  if (first === false) throw refuse('IDENTITY_NOT_VERIFIED', unverified(borrower))
  if (payee && second === false) throw refuse('PAYEE_NOT_VERIFIED', unverified(payee))
}

/** Reads everything that decides about a new loan, and refuses in the order in which a borrower can do something about it. */
export async function checkOpening(
  chain: Chain,
  loan: NewLoan,
  refuse: Refuse<LegCodeOf<typeof lendingOperations.openLoan, 'build'>>,
) {
  const { market, borrower, payee, collateral, amount, signed } = loan
  const { block, results } = await readNamed(chain, {
    ...drawReads(market),
    terms: contractRead(market.address, abis.market, 'termConfig', []),
    offer: contractRead(market.rateModel, abis.rateModel, 'offer', []),
    ...freshPriceReads(market, signed),
  })
  const { terms, offer } = results
  const state = requireDrawState(results, refuse)
  if (!terms.ok || !offer.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  requireCurator(state, refuse)

  const register = registerOf(state)
  const vaults = vaultsAsked(state, amount)
  const foreign = await askForeign(chain, block, {
    market,
    holder: borrower,
    register: register && { address: register, accounts: payee ? [borrower, payee] : [borrower] },
    vaults,
    transfer: market.mode === 'CUSTODY' ? { from: borrower, to: market.adapter, amount: collateral } : null,
  })
  requireAdapter(market, foreign, refuse)
  if (state.isPaused) throw refuse('MARKET_PAUSED')
  const { terminalDueAt } = terms.value
  if (terminalDueAt !== 0 && block.time >= terminalDueAt) throw refuse('MARKET_TERM_EXPIRED')
  if (payee) requireAllowedPayee(market, state, payee, refuse)
  requireVerified(loan, register, foreign, refuse)

  const cash = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
  const { config, pool } = state
  if (amount < config.minBorrowAmount)
    throw refuse('BELOW_MIN_BORROW', { detail: `A loan is at least ${cash(config.minBorrowAmount)}.` })
  const price = requireFreshPrice(results, signed, block.time, refuse)
  requireWithinCaps(market, config, collateral, { total: pool.totalCollateral, mine: foreign.pledged }, refuse)
  const most = capacityDown(collateral, price, market.collateralDecimals, BigInt(config.collateralFactorBps))
  if (amount > most) throw refuse('EXCEEDS_MAX_BORROW', { detail: `The collateral carries at most ${cash(most)}.` })
  const forecast = forecastDraws(
    pool,
    amount,
    vaults.map((vault, index) => ({ vault, drawable: foreign.drawable[index] ?? null })),
  )
  if (!forecast.suffices)
    throw refuse('INSUFFICIENT_LIQUIDITY', { detail: `At most ${cash(forecast.available)} can be lent now.` })
  requirePledgeable(market, borrower, collateral, foreign, refuse)
  return { block, state, price, terms: terms.value, fixedBps: offer.value.fixedBps, draws: forecast.draws }
}
