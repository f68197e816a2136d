import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { listWallets } from '../../access/index.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type MinedTransaction, readTransaction } from '../../platform/chain/transaction.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { newId } from '../../platform/ids.ts'
import { endpointAt, findDeployedMarket, findFactory } from '../market/markets.service.ts'
import { questionTokens } from '../market/token-questions.reads.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { requireCap } from './draw-cap.service.ts'
import { showRecord } from './read-vaults.service.ts'
import { vaultCreatedCall } from './vault.call.ts'
import { readCreatedVault, simulateCreation, vaultCreation } from './vault-code.reads.ts'
import * as store from './vaults.store.ts'

type DeployBody = BodyOf<typeof lendingOperations.deployVault>

interface VaultRequest {
  readonly tenant: TenantDatabase
  readonly instance: Instance
  readonly mountedAt: string
}

const NEXT =
  'Register the vault with a market, switch vault liquidity on there, and grant the market a draw cap: only then money flows. Markets that the creation names have their cap at once; a cap that is granted or raised later is announced and waits 14 days.'

const isRequired = (field: string) => fieldError('VALIDATION_ERROR', [{ field, message: 'is required' }])

/** More creations than that in one transaction are not looked at. */
const MOST_CANDIDATES = 8

/** From nothing to a vault on record: its creation, and the proof of it by the code that stands there. */
export function createDeployVault({ clock, random, chains, intents }: LendingParts) {
  async function walletsOf(tenant: TenantDatabase): Promise<Address[]> {
    const rows = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
    return rows.map(({ address }) => address as Address)
  }

  function requireOwner(text: string | undefined, [primary]: readonly Address[]): Address {
    if (text === undefined) {
      if (!primary) throw new AppError('WALLET_NOT_CONFIGURED')
      return primary
    }
    const owner = parseAddress(text)
    if (!owner || owner === zeroAddress)
      throw fieldError('VALIDATION_ERROR', [{ field: 'owner', message: 'is not a valid address, or zero' }])
    return owner
  }

  /** Markets of the instance that lend the asset, and what each may hold of the vault. */
  async function requireMarkets(
    { tenant, mountedAt }: VaultRequest,
    wished: NonNullable<DeployBody['markets']>,
    asset: { address: Address; decimals: number },
  ) {
    const found = await Promise.all(
      wished.map(async ({ marketId, cap: text }) => {
        const { market } = await findDeployedMarket({ tenant, mountedAt }, marketId)
        if (market.borrowAsset !== asset.address) throw new AppError('ASSET_MISMATCH')
        return { marketId, market: market.address, cap: requireCap(text, asset.decimals) }
      }),
    )
    if (new Set(found.map(({ market }) => market)).size !== found.length)
      throw fieldError('VALIDATION_ERROR', [{ field: 'markets', message: 'names a market twice' }])
    return found
  }

  /** The first contract that the transaction created and that is a vault of this release. */
  async function findCreated(chain: Chain, factory: Address, transaction: MinedTransaction) {
    const emitters = [...new Set(transaction.logs.map(({ address }) => address))]
    const created = emitters.flatMap((address) => {
      const first = vaultCreatedCall
        .settle(address, transaction.logs)
        .find(({ effect }) => vaultCreatedCall.isFor(effect, null))
      return first ? [{ address, owner: String(first.effect.newOwner) as Address }] : []
    })
    for (const { address, owner } of created.slice(0, MOST_CANDIDATES)) {
      const vault = await readCreatedVault(chain, address, owner, factory)
      if (vault) return { ...vault, address, owner }
    }
    throw new AppError('TX_NOT_VERIFIED')
  }

  return {
    async build(request: VaultRequest, body: DeployBody) {
      const { tenant, instance, mountedAt } = request
      const wallets = await walletsOf(tenant)
      const { name, symbol, assetAddress } = body
      if (name === undefined) throw isRequired('name')
      if (symbol === undefined) throw isRequired('symbol')
      if (assetAddress === undefined) throw isRequired('assetAddress')
      const owner = requireOwner(body.owner, wallets)
      const asset = parseAddress(assetAddress)
      if (!asset) throw new AppError('INVALID_ASSET', { detail: 'assetAddress is not a valid address.' })
      const chain = chains.get(instance.chainId)
      const { block, borrowAsset } = await questionTokens(chain, {
        collateral: asset,
        borrowAsset: asset,
        registers: [],
      })
      const { isErc20, decimals } = borrowAsset
      if (!isErc20 || decimals === null || decimals < 6 || decimals > 18) throw new AppError('INVALID_ASSET')
      const factory = await findFactory(tenant, instance.chainId)
      const markets = await requireMarkets(request, body.markets ?? [], { address: asset, decimals })
      const data = vaultCreation({ name, symbol, asset, owner, factory, markets })
      return {
        data: {
          action: 'SIGN_TRANSACTION' as const,
          transaction: { data },
          contractCreation: true as const,
          functionName: 'deployLendingVault' as const,
          value: '0' as const,
          chainId: chain.chainId,
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

    async confirm({ tenant, instance }: VaultRequest, txHash: string) {
      const wallets = await walletsOf(tenant)
      const chain = chains.get(instance.chainId)
      const mined = await readTransaction(chain, txHash.toLowerCase() as Hex)
      if (!mined) throw new AppError('TX_NOT_FOUND')
      if (!mined.succeeded) throw new AppError('TX_REVERTED')
      const { address, owner, ...facts } = await findCreated(chain, await findFactory(tenant, instance.chainId), mined)
      if (!wallets.includes(owner) && !wallets.includes(mined.from)) throw new AppError('VAULT_NOT_INSTANCE_BOUND')
      const intent = { chain, pair: vaultCreatedCall, target: address, kind: 'vault' }
      const { transaction } = await intents.confirm(tenant, intent, null, mined.hash, () => ({
        asTenant: (sql) =>
          store.insertVault(sql, tenant.instanceId, {
            ...facts,
            vaultId: newId(clock, random),
            chainId: chain.chainId,
            address,
            createdAt: new Date(mined.block.time * 1000),
            deployTx: mined.hash,
          }),
      }))
      const [record] = await tenant.read((sql) => store.findVault(sql, tenant.instanceId, chain.chainId, address))
      if (!record) throw new Error('a confirmed vault left no record')
      const data = {
        vault: showRecord(record),
        txHash: transaction.hash,
        // A creation calls no contract: only one that was made by another contract had to be found by its event.
        ...(transaction.to === null ? {} : { verifiedBy: 'receipt-log' as const }),
        signedBy: transaction.from,
        owner,
        next: NEXT,
      }
      return { data, block: transaction.block }
    },
  }
}

export type DeployVault = ReturnType<typeof createDeployVault>
