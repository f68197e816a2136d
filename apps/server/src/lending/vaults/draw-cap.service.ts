import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits, parseUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { asShapeB } from '../built.ts'
import { abis } from '../contracts.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { ownerBlock } from '../signer.reads.ts'
import { confirmedFacts } from './admin-writes.service.ts'
import { setDrawCapCall } from './vault.call.ts'
import * as store from './vaults.store.ts'

type CapBody = BodyOf<typeof lendingOperations.setDrawCap>
type CapCall = MarketCall & { readonly chainId: number }

function requireCap(text: string, decimals: number): bigint {
  const raw = parseUnits(text, decimals)
  if (raw === null)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'cap', message: `must be a decimal with at most ${decimals} decimals, or 0` },
    ])
  return raw
}

/** What the owner of a vault lets a market have of it. */
export function createDrawCap({ chains, intents }: LendingParts) {
  async function find({ tenant, mountedAt, chainId }: CapCall, vaultAddress: string, marketId: string) {
    const address = requireAddress(vaultAddress)
    const [vault] = await tenant.read((sql) => store.findVault(sql, tenant.instanceId, chainId, address))
    if (!vault) throw new AppError('VAULT_NOT_FOUND')
    const { market, wallets } = await findDeployedMarket({ tenant, mountedAt }, marketId)
    return { vault, market, wallets, chain: chains.get(chainId) }
  }

  return {
    async build(call: CapCall, vaultAddress: string, body: CapBody) {
      const { vault, market, wallets, chain } = await find(call, vaultAddress, body.marketId)
      if (body.cap === undefined) throw fieldError('VALIDATION_ERROR', [{ field: 'cap', message: 'is required' }])
      const cap = requireCap(body.cap, vault.assetDecimals)
      if (vault.asset !== market.borrowAsset) throw new AppError('ASSET_MISMATCH')
      const { block, results } = await chain.read([
        contractRead(vault.address, abis.vault, 'drawCapOf', [market.address]),
        contractRead(vault.address, abis.vault, 'owner', []),
      ])
      const [previous, owner] = results
      if (!previous.ok) throw new AppError('VAULTS_UNREADABLE')
      const signer = ownerBlock('OWNER', wallets, owner)
      const intent = { chain, pair: setDrawCapCall, target: vault.address, kind: 'vault' }
      const args = { market: market.address, cap }
      const built = await intents.build(intent, args, signer.requiredSigner, explainLending)
      const shown = formatUnits(cap, vault.assetDecimals)
      const data = {
        ...asShapeB(built),
        ...signer,
        description: `Lets the market hold at most ${shown} ${vault.assetSymbol} of the vault.`,
        vaultAddress: vault.address,
        marketId: body.marketId,
        marketAddress: market.address,
        cap: shown,
        capRaw: cap.toString(),
        previousCapRaw: previous.value.toString(),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/vaults/${vault.address}/draw-cap`),
          field: 'txHash' as const,
          body: { marketId: body.marketId, txHash: null },
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: CapCall, vaultAddress: string, body: CapBody & { txHash: string }) {
      const { vault, market, chain } = await find(call, vaultAddress, body.marketId)
      const expected = {
        market: market.address,
        ...(body.cap === undefined ? {} : { cap: requireCap(body.cap, vault.assetDecimals) }),
      }
      const intent = { chain, pair: setDrawCapCall, target: vault.address as Address, kind: 'vault' }
      const proof = await intents.confirm(call.tenant, intent, expected, body.txHash as Hex)
      const cap = BigInt(String(proof.effect.cap))
      const data = {
        ...confirmedFacts(setDrawCapCall, proof),
        vaultAddress: vault.address,
        marketId: body.marketId,
        marketAddress: market.address,
        cap: formatUnits(cap, vault.assetDecimals),
        capRaw: cap.toString(),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type DrawCap = ReturnType<typeof createDrawCap>
