import type { Address } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** What a provider has to do with a market, and whether it is a vault, which answers what no wallet answers. */
export function providerReads({ address }: Market, provider: Address) {
  return {
    pool: contractRead(address, abis.market, 'pool', []),
    shares: contractRead(address, abis.market, 'sharesOf', [provider]),
    vaultOwner: contractRead(provider, abis.vault, 'owner', []),
    vaultAsset: contractRead(provider, abis.vault, 'asset', []),
    vaultIdle: contractRead(provider, abis.vault, 'idleAssets', []),
    vaultVersion: contractRead(provider, abis.vault, 'version', []),
    vaultRoom: contractRead(provider, abis.vault, 'drawableFor', [address]),
  } as const
}

export interface VaultBehind {
  readonly owner: Address
  readonly idle: bigint
  /** What its cap leaves for the market; null: a vault of the first generation, whose owner is bound by none. */
  readonly room: bigint | null
}

/** The vault that a provider is; null: a wallet, or a contract that acts for itself. */
export function vaultBehind(
  { borrowAsset }: Market,
  answers: Omit<NamedResults<ReturnType<typeof providerReads>>, 'pool' | 'shares'>,
): VaultBehind | null {
  const { vaultOwner, vaultAsset, vaultIdle, vaultVersion, vaultRoom } = answers
  if (!vaultOwner.ok || !vaultAsset.ok || !vaultIdle.ok) return null
  if (vaultAsset.value.toLowerCase() !== borrowAsset) return null
  const room = vaultVersion.ok && vaultRoom.ok ? vaultRoom.value : null
  return { owner: vaultOwner.value.toLowerCase() as Address, idle: vaultIdle.value, room }
}
