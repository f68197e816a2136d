import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { flatFeeDown } from './loan.rules.ts'

const BPS = 10_000n

/** What the pool lends, and what it holds back. */
interface PoolForDraw {
  readonly cash: bigint
  readonly totalBorrowed: bigint
  readonly reserveRatioBps: bigint
}

interface VaultForDraw {
  readonly vault: Address
  /** Null: it does not answer, so it gives nothing. */
  readonly drawable: bigint | null
}

function borrowable({ cash, totalBorrowed, reserveRatioBps }: PoolForDraw): bigint {
  const reserve = ((cash + totalBorrowed) * reserveRatioBps) / BPS
  return cash > reserve ? cash - reserve : 0n
}

/** What the market would take from its vaults to lend `amount`, as its own arithmetic goes. */
export function forecastDraws(pool: PoolForDraw, amount: bigint, vaults: readonly VaultForDraw[]) {
  const draws: { vault: Address; amount: bigint }[] = []
  let { cash } = pool
  const available = () => borrowable({ ...pool, cash })
  for (const { vault, drawable } of vaults) {
    if (available() >= amount) break
    // What arrives adds to the reserve as well: the shortfall is grossed up by it.
    const needed = ((amount - available()) * BPS - 1n) / (BPS - pool.reserveRatioBps) + 1n
    const given = drawable === null ? 0n : drawable < needed ? drawable : needed
    if (given === 0n) continue
    cash += given
    draws.push({ vault, amount: given })
  }
  return { available: available(), suffices: available() >= amount, draws }
}

/** What is paid out of a draw, and the fee on it as answers show it; null: none is charged. */
export function payoutOf({ borrowDecimals, borrowSymbol }: Market, flatFee: bigint, amount: bigint) {
  const fee = flatFeeDown(flatFee, amount)
  const shown = (raw: bigint) => formatUnits(raw, borrowDecimals)
  const net = amount - fee
  const transactionFee = {
    kind: 'OPEN' as const,
    fee: shown(fee),
    feeRaw: fee.toString(),
    borrowed: shown(amount),
    netDisbursed: shown(net),
    netDisbursedRaw: net.toString(),
    message: `The debt grows by ${shown(amount)} ${borrowSymbol}; ${shown(fee)} of it is kept as the fee, ${shown(net)} is paid out.`,
  }
  return { netDisbursed: shown(net), transactionFee: fee === 0n ? null : transactionFee }
}

interface Terms {
  readonly maxLoanDuration: number
  readonly gracePeriod: number
  readonly terminalDueAt: number
  readonly termPenaltyBps: number
}

/** What a loan opened now keeps for its life; null: it has no maturity, without which no rate is stamped either. */
export function offeringOf(terms: Terms, fixedBps: number, chainTime: number) {
  const { maxLoanDuration, terminalDueAt } = terms
  const own = maxLoanDuration === 0 ? terminalDueAt : chainTime + maxLoanDuration
  const dueAt = terminalDueAt !== 0 && own > terminalDueAt ? terminalDueAt : own
  if (dueAt === 0) return null
  return {
    approximateDueAt: dueAt,
    termGracePeriodSeconds: terms.gracePeriod,
    termPenaltyBps: terms.termPenaltyBps,
    fixedRateBps: fixedBps === 0 ? null : fixedBps,
    stampedAtSigning: [
      ...(['dueAt', 'termGracePeriodSeconds', 'termPenaltyBps'] as const),
      ...(fixedBps === 0 ? [] : (['fixedRateBps'] as const)),
    ],
  }
}
