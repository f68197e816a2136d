import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'

const FIXED_OPERATOR_SHARE_BPS = 800

/** What an upgrade onto fixed fee shares would meet. */
export interface PoolFacts {
  /** The share that the market was offered with; null: it runs on fixed shares already. */
  readonly offeredShareBps: number | null
  readonly totalShares: bigint
  readonly activeLoans: bigint
  readonly totalBorrowed: bigint
  readonly vaults: readonly Address[]
  /** The one register of an older market; null: it has two already. */
  readonly singleRegister: Address | null
}

/** Everybody who is in the market is told before anything moves. */
export function isImpactful({ offeredShareBps, totalShares, activeLoans }: PoolFacts): boolean {
  return offeredShareBps !== null && (totalShares > 0n || activeLoans > 0n)
}

export function feeModel(market: Market, facts: PoolFacts) {
  const { offeredShareBps, vaults } = facts
  const impact =
    offeredShareBps === null || !isImpactful(facts)
      ? null
      : {
          providersHoldShares: facts.totalShares > 0n,
          openLoans: facts.activeLoans.toString(),
          outstandingPrincipal: formatUnits(facts.totalBorrowed, market.borrowDecimals),
          asset: { address: market.borrowAsset, symbol: market.borrowSymbol, decimals: market.borrowDecimals },
          operatorShareBps: { before: offeredShareBps, after: FIXED_OPERATOR_SHARE_BPS as 800 },
          message:
            'Interest that accrued before the upgrade is split at the new shares when it is repaid: 15 % infrastructure first, then 8 % operator and 5 % distributors of the rest. Direct providers keep their positions and add only through a vault.',
        }
  return {
    openPool: offeredShareBps !== null,
    registeredVaults: [...vaults],
    impact,
    vaultWarnings: offeredShareBps === null ? [] : vaults.map(predatesDistributor),
  }
}

const predatesDistributor = (vault: Address) => ({
  code: 'VAULT_PREDATES_DISTRIBUTOR' as const,
  vault,
  message: 'This vault was registered before distributors had a share: register it again after the upgrade.',
})

/** Present when one register becomes two on a pool that third parties provide to. */
export function perimeter({ singleRegister, offeredShareBps }: PoolFacts) {
  if (singleRegister === null || offeredShareBps === null) return null
  return {
    borrowerRegistry: singleRegister === zeroAddress ? null : singleRegister,
    providerRegistry: null,
    carried: false,
    note: 'The register goes on for borrowers. Providers have none after the upgrade: third parties cannot deposit until the admin installs one and they come through a vault.',
  }
}

const vaultAbi = [
  {
    type: 'function',
    name: 'registerVault',
    inputs: [{ name: 'vault', type: 'address' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'deregisterVault',
    inputs: [{ name: 'vault', type: 'address' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
] as const

/** The last vault first: taking one out moves the last into its place, so the order of draws stays. */
export function followUps(market: Address, { vaults, offeredShareBps }: PoolFacts) {
  if (offeredShareBps === null || vaults.length === 0) return null
  const step = (functionName: 'registerVault' | 'deregisterVault', vault: Address) => ({
    to: market,
    data: encodeFunctionData({ abi: vaultAbi, functionName, args: [vault] }),
    description: `${functionName === 'registerVault' ? 'Register' : 'Deregister'} vault ${vault}.`,
  })
  return {
    reason:
      'Vaults that were registered before the upgrade have to be registered again to earn the share of distributors.',
    requiredRole: 'DEFAULT_ADMIN_ROLE',
    steps: vaults.toReversed().flatMap((vault) => [step('deregisterVault', vault), step('registerVault', vault)]),
  }
}
