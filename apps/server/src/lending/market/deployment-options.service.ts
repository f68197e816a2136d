import { collateralModes, priceSources, rateModes } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { abis } from '../contracts.ts'
import { findFactory } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'

const unread = { address: null, creatorRateCeilingBps: null, openFeeRaw: null, repayFeeRaw: null }

export function createDeploymentOptions({ chains }: LendingParts) {
  /** A factory that is missing or cannot be read answers nulls here, by the interface. */
  async function readFactory(tenant: TenantDatabase, instance: Instance) {
    let block: Block | undefined
    try {
      const address = await findFactory(tenant, instance.chainId)
      const read = await chains
        .get(instance.chainId)
        .read([
          contractRead(address, abis.factory, 'creatorRateCeiling', []),
          contractRead(address, abis.factory, 'defaultFees', []),
        ])
      block = read.block
      const [ceiling, fees] = read.results
      const [openFee, repayFee] = fees.ok ? fees.value : [null, null]
      const factory = {
        address,
        creatorRateCeilingBps: ceiling.ok ? Number(ceiling.value) : null,
        openFeeRaw: openFee?.toString() ?? null,
        repayFeeRaw: repayFee?.toString() ?? null,
      }
      return { block, factory }
    } catch (error) {
      const isMissing = error instanceof AppError && error.code === 'LENDING_NOT_CONFIGURED'
      if (isMissing || error instanceof ChainUnavailableError) return { block, factory: unread }
      throw error
    }
  }

  async function get(tenant: TenantDatabase, instance: Instance) {
    const { block, factory } = await readFactory(tenant, instance)
    const { creatorRateCeilingBps } = factory
    const data = {
      factory,
      modes: [...collateralModes],
      priceSources: {
        options: [...priceSources],
        default: 'NAV' as const,
        marketRequiresIdentityRegistry: true as const,
      },
      rateOffering: {
        modes: [...rateModes],
        default: 'CURVE' as const,
        creatorRateCeilingBps,
        fixedRequiresTerms: true as const,
        capSuspendsBorrows: false as const,
      },
      operatorShare: { fixed: true as const, bps: 800, acceptedAtDeployment: false as const },
      distributorShare: { fixed: true as const, bps: 500 },
      termOffering: { maxLoanDurationDaysRange: [1, 3650], termGracePeriodDaysRange: [1, 30], graceDefaultDays: 3 },
      borrowAsset: { minDecimals: 6 as const, maxDecimals: 18 as const },
      maxCandidates: 20 as const,
    }
    return { data, ...(block ? { block } : {}) }
  }

  return { get }
}

export type DeploymentOptions = ReturnType<typeof createDeploymentOptions>
