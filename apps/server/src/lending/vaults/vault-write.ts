import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TwoLegged } from '../../platform/http/legs.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { findOwnVault } from './own-vault.ts'
import type { OwnVault } from './vaults.store.ts'

/** A vault of the instance, with what every write needs to know of it. */
export interface VaultSubject {
  readonly vault: OwnVault
  readonly chain: Chain
  /** Amounts of the asset that it holds, as answers show them. */
  readonly cash: (raw: bigint) => string
}

export async function findVaultSubject(
  { chains }: LendingParts,
  { tenant, mountedAt, caller, params }: Asked,
): Promise<VaultSubject> {
  const { chainId } = caller.instance
  const vault = await findOwnVault({ tenant, mountedAt, chainId }, params.vaultAddress ?? '')
  return { vault, chain: chains.get(chainId), cash: (raw) => formatUnits(raw, vault.assetDecimals) }
}

/** What all writes on a vault have in common. */
export const onVault = {
  targets: { vault: ({ vault }: VaultSubject) => vault.address },
  path: ({ vault }: VaultSubject) => ({ vaultAddress: vault.address }),
  explain: explainLending,
} as const

/** An operation on the vault that its path names. */
export interface VaultOperation extends TwoLegged {
  readonly params: NonNullable<TwoLegged['params']>
}

/** A write on the vault that the path names; and each leg by itself, where it is an operation of its own. */
export const {
  of: vaultWrite,
  building: vaultBuild,
  confirming: vaultConfirmation,
} = writesOf<VaultOperation, LendingParts, VaultSubject>({ ...onVault, find: findVaultSubject })
