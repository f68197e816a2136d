import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { MarketCall } from '../core/index.ts'
import { readVaultBooks, type VaultBooks } from './vault-books.ts'
import * as store from './vaults.store.ts'

export type VaultCall = MarketCall & { readonly chainId: number }

/** The vault that a path names, as the caller's instance recorded it. */
export async function findOwnVault({ tenant, chainId }: VaultCall, vaultAddress: string): Promise<store.OwnVault> {
  const address = requireAddress(vaultAddress)
  const [vault] = await tenant.read((sql) => store.findOwnVault(sql, tenant.instanceId, chainId, address))
  if (!vault) throw new AppError('VAULT_NOT_FOUND')
  return vault
}

/** Everything of a vault that has to do with money, at one block. */
export async function requireBooks(chain: Chain, vault: store.OwnVault, holder: Address | null): Promise<VaultBooks> {
  const markets = vault.markets.map(({ address }) => address)
  const books = await readVaultBooks(chain, { vault, holder, markets, registry: vault.registry })
  if (!books) throw new AppError('VAULT_STATE_UNAVAILABLE')
  return books
}

export const assetOf = ({ asset, assetSymbol, assetDecimals }: store.VaultRow) => ({
  address: asset,
  symbol: assetSymbol,
  decimals: assetDecimals,
})
