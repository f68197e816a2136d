import { formatUnits } from '../../platform/amounts.rules.ts'

/** What one whole share of a vault is worth, as a redemption would reckon it; 18 decimals. */
export function sharePrice(totalAssets: bigint, totalSupply: bigint): string {
  return formatUnits((10n ** 18n * (totalAssets + 1n)) / (totalSupply + 1n), 18)
}

/** Known ones in the order of the market, and whether all of the market's are among them. */
export function inOrder<V extends { readonly address: string }>(
  registered: readonly string[],
  known: readonly V[],
): { readonly vaults: readonly V[]; readonly isComplete: boolean } {
  const vaults = registered.flatMap((address) => known.find((one) => one.address === address) ?? [])
  return { vaults, isComplete: vaults.length === registered.length }
}
