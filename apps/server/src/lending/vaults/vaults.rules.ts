import { formatUnits } from '../../platform/amounts.rules.ts'

/** What pool shares are worth, as the market itself reckons it. */
export function positionValue(
  shares: bigint,
  pool: { readonly totalAssets: bigint; readonly totalShares: bigint },
  assetDecimals: number,
): bigint {
  return (shares * (pool.totalAssets + 1n)) / (pool.totalShares + 10n ** BigInt(18 - assetDecimals))
}

/** What one whole share of a vault is worth, as a redemption would reckon it. */
export function sharePrice(totalAssets: bigint, totalSupply: bigint, decimals: number): string {
  return formatUnits((10n ** BigInt(decimals) * (totalAssets + 1n)) / (totalSupply + 1n), decimals)
}

/** Known ones in the order of the market, and whether all of the market's are among them. */
export function inOrder<V extends { readonly address: string }>(
  registered: readonly string[],
  known: readonly V[],
): { readonly vaults: readonly V[]; readonly isComplete: boolean } {
  const vaults = registered.flatMap((address) => known.find((one) => one.address === address) ?? [])
  return { vaults, isComplete: vaults.length === registered.length }
}
