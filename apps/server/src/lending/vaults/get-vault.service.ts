import { formatUnits } from '../../platform/amounts.rules.ts'
import { shownShares } from '../core/index.rules.ts'
import { optionalAddress } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { depositRefusal } from './deposit-terms.ts'
import { findOwnVault, requireBooks, type VaultCall } from './own-vault.ts'
import { showGeneration, showRecord } from './read-vaults.service.ts'
import type { VaultBooks } from './vault-books.ts'
import { isVaultWipedOut, positionOf, redemptionOf, vaultValueDown } from './vault-money.rules.ts'
import { instant, sharePrice } from './vaults.rules.ts'
import type { OwnVault } from './vaults.store.ts'

/** One vault: its books, where its money is, and what one holder has of it. */
export function createGetVault({ chains }: LendingParts) {
  function showBooks(vault: OwnVault, { state, positions, announcements }: VaultBooks) {
    const amount = (raw: bigint) => formatUnits(raw, vault.assetDecimals)
    const idOf = new Map(vault.markets.map(({ address, marketId }) => [address, marketId]))
    return {
      owner: state.owner,
      totalAssets: amount(state.totalAssets),
      totalShares: amount(state.totalSupply),
      sharePrice: sharePrice(state.totalAssets, state.totalSupply),
      idleAssets: amount(state.idleAssets),
      allocatedAssets: amount(state.totalAssets - state.idleAssets),
      redeemableNow: amount(state.redeemableNow),
      wipedOut: isVaultWipedOut(state),
      depositsPaused: state.depositsPaused,
      depositorRegistry: state.depositorRegistry,
      allocations: positions.map((position) => {
        const { value, takeable } = positionOf(position, vault.assetDecimals)
        return {
          marketAddress: position.market,
          marketId: idOf.get(position.market) ?? null,
          poolShares: shownShares(position.shares),
          value: amount(value),
          withdrawableNow: amount(takeable),
          drawCap: amount(position.cap),
        }
      }),
      ...showGeneration(state),
      unreadableMarkets: state.unreadableMarkets,
      announcements: announcements.map(({ market, cap, readyAt, lapsesAt }) => ({
        marketAddress: market,
        marketId: idOf.get(market) ?? null,
        cap: amount(cap),
        readyAt: instant(readyAt),
        lapsesAt: instant(lapsesAt),
      })),
    }
  }

  function showHolder(vault: OwnVault, books: VaultBooks) {
    const { state, positions, holder } = books
    if (!holder) return null
    const amount = (raw: bigint) => formatUnits(raw, vault.assetDecimals)
    const { fresh } = holder
    const mature = holder.shares - fresh.shares
    return {
      address: holder.address,
      shares: amount(holder.shares),
      value: amount(vaultValueDown(holder.shares, state)),
      redeemableNow: amount(redemptionOf(state, positions, mature).amount),
      redeemableShares: amount(mature),
      matureAt: fresh.shares === 0n ? null : instant(fresh.matureAt),
      distributor: holder.distributor,
      assetBalance: amount(holder.balance),
      depositRefusal: depositRefusal(books, holder),
    }
  }

  return async function get(call: VaultCall, vaultAddress: string, address: string | undefined) {
    const vault = await findOwnVault(call, vaultAddress)
    const holder = optionalAddress('address', address)
    const books = await requireBooks(chains.get(call.chainId), vault, holder)
    const data = { ...showRecord(vault), onChain: showBooks(vault, books), holder: showHolder(vault, books) }
    return { data, block: books.block }
  }
}

export type GetVault = ReturnType<typeof createGetVault>
