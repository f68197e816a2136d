import type { Address } from 'viem'
import { type PoolBooks, poolValueDown } from '../core/index.rules.ts'

/** What decides about the shares of a vault. Everything here mirrors the vault to the unit. */
interface VaultMoney {
  readonly idleAssets: bigint
  readonly totalAssets: bigint
  readonly totalSupply: bigint
  readonly decimals: number
}

interface VaultPosition {
  readonly shares: bigint
  readonly pool: PoolBooks
}

/** Fees per share are kept at this scale. */
const PER_SHARE_SCALE = 10n ** 27n
/** The part of what shares were issued at below which they count as wiped out, as in the pools. */
const WIPED_OUT_FRACTION = 1_000_000n

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

export const sharesForDepositDown = (amount: bigint, { totalAssets, totalSupply }: VaultMoney): bigint =>
  (amount * (totalSupply + 1n)) / (totalAssets + 1n)

export const vaultValueDown = (shares: bigint, { totalAssets, totalSupply }: VaultMoney): bigint =>
  (shares * (totalAssets + 1n)) / (totalSupply + 1n)

export const isVaultWipedOut = ({ totalAssets, totalSupply }: VaultMoney): boolean =>
  totalSupply !== 0n && totalAssets * WIPED_OUT_FRACTION < totalSupply

/** What a position is worth, and what of that the market could pay now. */
export function positionOf({ shares, pool }: VaultPosition, decimals: number) {
  const value = poolValueDown(shares, pool, decimals)
  return { value, takeable: smaller(value, pool.cash) }
}

/** Idle money, and what it lacks from the markets in their order. */
function fetched(vault: VaultMoney, positions: readonly VaultPosition[], wanted: bigint): bigint {
  let idle = vault.idleAssets
  for (const position of positions) {
    if (idle >= wanted) break
    const { value, takeable } = positionOf(position, vault.decimals)
    if (takeable === 0n) continue
    const target = smaller(wanted - idle, takeable)
    const burnt = target === value ? position.shares : (position.shares * target) / value
    idle += poolValueDown(burnt, position.pool, vault.decimals)
  }
  return idle
}

/** What a redemption would pay now, and how many shares it would take for that. */
export function redemptionOf(vault: VaultMoney, positions: readonly VaultPosition[], shares: bigint) {
  const owed = vaultValueDown(shares, vault)
  const amount = smaller(owed, fetched(vault, positions, owed))
  if (amount === 0n) return { owed, amount, burned: 0n }
  return { owed, amount, burned: amount === owed ? shares : (shares * amount - 1n) / owed + 1n }
}

/** What shares would be credited if fees were collected now. */
export function creditDown(shares: bigint, fees: bigint, totalSupply: bigint): bigint {
  if (totalSupply === 0n) return 0n
  return (shares * ((fees * PER_SHARE_SCALE) / totalSupply)) / PER_SHARE_SCALE
}

/** Whom the shares of a deposit are credited to: the first distributor that a holder names is it for good. */
export function attributionOf(current: Address | null, requested: Address | null) {
  if (!current)
    return requested
      ? { binding: 'BINDS_NOW' as const, distributor: requested }
      : { binding: 'UNATTRIBUTED' as const, distributor: null }
  const isOther = requested !== null && requested !== current
  return { binding: isOther ? ('BOUND_ELSEWHERE' as const) : ('ALREADY_BOUND' as const), distributor: current }
}
