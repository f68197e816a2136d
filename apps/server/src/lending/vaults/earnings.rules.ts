import { formatUnits } from '../../platform/amounts.rules.ts'
import { partBps } from '../core/index.rules.ts'
import { creditDown } from './vault-money.rules.ts'

/** What shares earned whoever they are attributed to. */
export interface Earning {
  readonly shares: bigint
  readonly paid: bigint
  readonly claimable: bigint
  /** What a collection from the markets would add. */
  readonly uncollected: bigint
}

/** What the markets would pay the vault now, and among how many shares. */
export interface Uncollected {
  readonly fees: bigint
  readonly supply: bigint
}

export function earningOf(shares: bigint, paid: bigint, claimable: bigint, { fees, supply }: Uncollected): Earning {
  return { shares, paid, claimable, uncollected: creditDown(shares, fees, supply) }
}

/** While nobody holds shares, everything is the owner's. */
export function operatorEarningOf(shares: bigint, paid: bigint, claimable: bigint, given: Uncollected): Earning {
  const earning = earningOf(shares, paid, claimable, given)
  return given.supply === 0n ? { ...earning, uncollected: given.fees } : earning
}

export function addEarnings(earnings: readonly Earning[]): Earning {
  const add = (pick: (one: Earning) => bigint) => earnings.reduce((so, one) => so + pick(one), 0n)
  return {
    shares: add(({ shares }) => shares),
    paid: add(({ paid }) => paid),
    claimable: add(({ claimable }) => claimable),
    uncollected: add(({ uncollected }) => uncollected),
  }
}

export const shownAmount = (raw: bigint, decimals: number) => ({
  raw: raw.toString(),
  value: formatUnits(raw, decimals),
})

export function shownEarning({ shares, paid, claimable, uncollected }: Earning, decimals: number, supply: bigint) {
  return {
    earned: shownAmount(paid + claimable, decimals),
    paid: shownAmount(paid, decimals),
    claimable: shownAmount(claimable, decimals),
    uncollectedEstimate: shownAmount(uncollected, decimals),
    attributedShares: formatUnits(shares, decimals),
    shareOfVaultBps: partBps(shares, supply),
  }
}
