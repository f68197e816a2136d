import { lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { fieldError, type Refuse } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { readTransaction } from '../../platform/chain/transaction.ts'
import { legsRoute } from '../../platform/http/legs.ts'
import { requireUnits } from '../../platform/values/amounts.ts'
import { endpointAt, findDeployedMarket, findFactory, type MarketCall } from '../core/index.ts'
import { questionTokens } from '../market/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { creation, findCreated, firstOwner, recordCreated, showCreated, walletsOf } from './created-vaults.service.ts'
import { simulateCreation, vaultCreation } from './vault-code.ts'

const NEXT =
  'Register the vault with a market, switch vault liquidity on there, and grant the market a draw cap: only then money flows. Markets that the creation names have their cap at once; a cap that is granted or raised later is announced and waits 14 days.'

function requireOwner(
  text: string | undefined,
  [primary]: readonly Address[],
  refuse: Refuse<'WALLET_NOT_CONFIGURED'>,
): Address {
  if (text === undefined) {
    if (!primary) throw refuse('WALLET_NOT_CONFIGURED')
    return primary
  }
  const owner = parseAddress(text)
  if (!owner || owner === zeroAddress)
    throw fieldError('VALIDATION_ERROR', [{ field: 'owner', message: 'is not a valid address, or zero' }])
  return owner
}

/** Markets of the instance that lend the asset, and what each may hold of the vault. */
async function requireMarkets(
  call: MarketCall,
  requested: readonly { readonly marketId: string; readonly cap: string }[],
  asset: { readonly address: Address; readonly decimals: number },
  refuse: Refuse<'ASSET_MISMATCH'>,
) {
  const found = await Promise.all(
    requested.map(async ({ marketId, cap: text }) => {
      const { market } = await findDeployedMarket(call, marketId)
      if (market.borrowAsset !== asset.address) throw refuse('ASSET_MISMATCH')
      return { marketId, market: market.address, cap: requireUnits('cap', text, asset.decimals) }
    }),
  )
  if (new Set(found.map(({ market }) => market)).size !== found.length)
    throw fieldError('VALIDATION_ERROR', [{ field: 'markets', message: 'names a market twice' }])
  return found
}

/**
 * From nothing to a vault on record: its creation, and the proof of it by the code that stands there. A creation calls no contract, and
 * which one it made is not known before: so both legs are written out instead of being a write of a kind.
 */
export const deployVault = (parts: LendingParts) => {
  const { chains, writes } = parts
  return legsRoute(lendingOperations.deployVault, {
    async build({ tenant, caller, mountedAt, body, refuse }) {
      const { chainId } = caller.instance
      const chain = chains.get(chainId)
      const wallets = await walletsOf(tenant)
      const { name, symbol } = body
      const owner = requireOwner(body.owner, wallets, refuse)
      const asset = parseAddress(body.assetAddress)
      if (!asset) throw refuse('INVALID_ASSET', { detail: 'assetAddress is not a valid address.' })
      const { block, borrowAsset } = await questionTokens(chain, {
        collateral: asset,
        borrowAsset: asset,
        registers: [],
      })
      const { isErc20, decimals } = borrowAsset
      if (!isErc20 || decimals === null || decimals < 6 || decimals > 18) throw refuse('INVALID_ASSET')
      const factory = await findFactory(tenant, chainId)
      const held = { address: asset, decimals }
      const markets = await requireMarkets({ tenant, mountedAt }, body.markets ?? [], held, refuse)
      const data = vaultCreation({ name, symbol, asset, owner, factory, markets })
      return {
        data: {
          action: 'SIGN_TRANSACTION' as const,
          transaction: { data },
          contractCreation: true as const,
          functionName: 'deployLendingVault' as const,
          value: '0' as const,
          chainId,
          simulation: await simulateCreation(chain, wallets[0] ?? owner, data, explainLending),
          description: `Creates the vault ${name} (${symbol}), which holds ${borrowAsset.symbol} and belongs to ${owner}.`,
          name,
          symbol,
          asset: { address: asset, symbol: borrowAsset.symbol, decimals },
          owner,
          factory,
          markets: markets.map(({ marketId, market, cap }) => ({
            marketId,
            marketAddress: market,
            cap: formatUnits(cap, decimals),
            capRaw: cap.toString(),
          })),
          next: NEXT,
          confirmWith: { endpoint: endpointAt(mountedAt, '/vaults/deploy'), field: 'txHash' as const },
        },
        block,
      }
    },

    async confirm({ tenant, caller, body, refuse }) {
      const { chainId } = caller.instance
      const chain = chains.get(chainId)
      const wallets = await walletsOf(tenant)
      const mined = await readTransaction(chain, body.txHash.toLowerCase() as Hex)
      if (!mined) throw refuse('TX_NOT_FOUND')
      if (!mined.succeeded) throw refuse('TX_REVERTED')
      const created = await findCreated(chain, await findFactory(tenant, chainId), mined)
      if (!created) throw refuse('TX_NOT_VERIFIED')
      const { address, owner } = created
      if (!wallets.includes(owner) && !wallets.includes(mined.from)) throw refuse('VAULT_NOT_INSTANCE_BOUND')
      const intent = { chain, pair: creation, target: address, kind: creation.kind }
      const { transaction } = await writes.confirm(tenant, intent, firstOwner, mined.hash, () => ({
        asTenant: recordCreated(parts, tenant, created, { ...mined, chainId }),
      }))
      const data = {
        vault: await showCreated(tenant, chainId, address),
        txHash: transaction.hash,
        // A creation calls no contract: only one that was made by another contract had to be found by its event.
        ...(transaction.to === null ? {} : { verifiedBy: 'receipt-log' as const }),
        signedBy: transaction.from,
        owner,
        next: NEXT,
      }
      return { data, block: transaction.block }
    },
  })
}
