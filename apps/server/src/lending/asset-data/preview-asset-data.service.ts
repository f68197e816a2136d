import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { parseAddress, requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { readActiveImport } from '../../tokens/index.ts'
import { findFactory } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { currentBundle, requireBundle } from './current-bundle.ts'
import { questionPreview } from './preview.reads.ts'

interface Wish {
  readonly collateralTokenAddress?: string
  readonly borrowAssetAddress?: string
  readonly mode?: 'FREEZE' | 'CUSTODY'
  readonly priceSource?: 'NAV' | 'MARKET'
}

function addressesOf({ collateralTokenAddress = '', borrowAssetAddress = '' }: Wish): [Address, Address] {
  const collateralToken = requireAddressField('collateralTokenAddress', collateralTokenAddress)
  const borrowAsset = parseAddress(borrowAssetAddress)
  if (!borrowAsset) throw new AppError('INVALID_BORROW_ASSET')
  return [collateralToken, borrowAsset]
}

/** The bundle of a market that is not deployed yet, and perhaps never will be. */
export function createPreviewAssetData({ chains }: LendingParts) {
  return {
    async get(tenant: TenantDatabase, { chainId }: Instance, wish: Wish) {
      const [collateralToken, borrowAsset] = addressesOf(wish)
      const { mode: collateralMode = 'FREEZE', priceSource = 'NAV' } = wish
      const factory = await findFactory(tenant, chainId)
      const [token] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, collateralToken))
      const asked = await questionPreview(chains.get(chainId), factory, borrowAsset)
      const { block, hasCode, isErc20, decimals, factorySupport } = asked
      if (!hasCode) throw new AppError('BORROW_ASSET_NOT_CONTRACT')
      if (!isErc20 || decimals === null) throw new AppError('BORROW_ASSET_NOT_ERC20')
      if (decimals < 6 || decimals > 18) throw new AppError('BORROW_ASSET_DECIMALS_UNSUPPORTED')
      const choices = { chainId, factory, collateralToken, borrowAsset, collateralMode, priceSource }
      const { contentHash, canonicalJson, bundle } = requireBundle(currentBundle(token, choices))
      const { name, symbol } = bundle.token
      const data = {
        contentHash,
        schemaVersion: bundle.schemaVersion,
        canonicalJson,
        bundle,
        token: { address: collateralToken, name, symbol },
        factorySupport,
      }
      return { data, block }
    },
  }
}

export type PreviewAssetData = ReturnType<typeof createPreviewAssetData>
