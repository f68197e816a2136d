import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { listWallets } from '../../access/index.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type MinedTransaction, readTransaction } from '../../platform/chain/transaction.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { newId } from '../../platform/ids.ts'
import { endpointAt } from '../market/markets.service.ts'
import { questionTokens } from '../market/token-questions.reads.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
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
  'Register the vault with a market, switch vault liquidity on there, and grant the market a draw cap: only then money flows.'

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

  /** The first contract that the transaction created and that is a vault of this release. */
  async function findCreated(chain: Chain, transaction: MinedTransaction) {
    const emitters = [...new Set(transaction.logs.map(({ address }) => address))]
    const created = emitters.flatMap((address) => {
      const first = vaultCreatedCall
        .settle(address, transaction.logs)
        .find(({ effect }) => vaultCreatedCall.isFor(effect, null))
      return first ? [{ address, owner: String(first.effect.newOwner) as Address }] : []
    })
    for (const { address, owner } of created.slice(0, MOST_CANDIDATES)) {
      const vault = await readCreatedVault(chain, address, owner)
      if (vault) return { ...vault, address, owner }
    }
    throw new AppError('TX_NOT_VERIFIED')
  }

  return {
    async build({ tenant, instance, mountedAt }: VaultRequest, body: DeployBody) {
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
      const data = vaultCreation({ name, symbol, asset, owner })
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
      const { address, owner, ...facts } = await findCreated(chain, mined)
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
