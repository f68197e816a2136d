import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import type { LendingParts } from '../parts.ts'
import { readVaults } from './vault-state.reads.ts'
import { sharePrice, weaknessesOf } from './vaults.rules.ts'
import * as store from './vaults.store.ts'

export function showRecord(row: store.VaultRow) {
  return {
    id: row.vaultId,
    vaultAddress: row.address,
    name: row.name,
    symbol: row.symbol,
    asset: { address: row.asset, symbol: row.assetSymbol, decimals: row.assetDecimals },
    deployTxHash: row.deployTx,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Which release a vault is of, where its markets come from, and what it cannot help. */
export const showGeneration = ({ version, factory }: { version: number; factory: Address | null }) => ({
  version,
  factory,
  weaknesses: weaknessesOf(version),
})

/** The vaults of an instance, as recorded and as the chain shows them now. */
export function createReadVaults({ chains }: LendingParts) {
  return {
    async list(tenant: TenantDatabase, instance: Instance) {
      const rows = await tenant.read((sql) => store.listVaults(sql, tenant.instanceId))
      if (rows.length === 0) return { data: { vaults: [] } }
      const chain = chains.get(instance.chainId)
      const { block, states } = await readVaults(
        chain,
        rows.map(({ address }) => address),
      )
      const vaults = rows.map((row, index) => {
        const state = states[index]
        if (!state) return { ...showRecord(row), onChain: { readFailed: true as const } }
        const amount = (raw: bigint) => formatUnits(raw, row.assetDecimals)
        const onChain = {
          readFailed: false as const,
          owner: state.owner,
          depositsPaused: state.depositsPaused,
          depositorRegistry: state.depositorRegistry,
          idleAssets: amount(state.idleAssets),
          totalAssets: amount(state.totalAssets),
          redeemableNow: amount(state.redeemableNow),
          totalShares: amount(state.totalSupply),
          sharePrice: sharePrice(state.totalAssets, state.totalSupply),
          markets: state.markets,
          ...showGeneration(state),
        }
        return { ...showRecord(row), onChain }
      })
      return { data: { vaults }, block }
    },
  }
}

export type ReadVaults = ReturnType<typeof createReadVaults>
