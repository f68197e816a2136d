import { type Address, zeroAddress } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { confirmedFacts, createAdminWrites } from './admin-writes.service.ts'
import { deregisterVaultCall, registerVaultCall } from './vault-liquidity.call.ts'

interface Confirmation {
  readonly vaultAddress?: string | undefined
  readonly txHash: string
}

function requireVault(text: string | undefined): Address {
  if (text === undefined) throw fieldError('VALIDATION_ERROR', [{ field: 'vaultAddress', message: 'is required' }])
  const vault = parseAddress(text)
  if (!vault || vault === zeroAddress)
    throw fieldError('INVALID_VAULT', [{ field: 'vaultAddress', message: 'has a wrong checksum, or is zero' }])
  return vault
}

const warnings = {
  VAULT_LIQUIDITY_OFF: 'The market does not draw on vaults: switch it on too.',
  VAULT_WITHOUT_CAP: 'The vault grants this market nothing yet: set a draw cap.',
  VAULT_OF_OTHER_OPERATOR:
    'The owner of the vault is not the operator of this market, so it cannot set a draw cap for it.',
} as const

const warning = (code: keyof typeof warnings, applies: boolean) => (applies ? [{ code, message: warnings[code] }] : [])

/** Which vaults a market draws on. */
export function createRegisterVaults(parts: LendingParts) {
  const writes = createAdminWrites(parts)

  const confirmAs =
    (pair: typeof registerVaultCall) =>
    async (call: MarketCall, marketId: string, { vaultAddress, txHash }: Confirmation) => {
      const record = await findDeployedMarket(call, marketId)
      const expected = vaultAddress === undefined ? {} : { vault: requireVault(vaultAddress) }
      const proof = await writes.confirm(call, record, pair, expected, txHash)
      const data = {
        ...confirmedFacts(pair, proof),
        vaultAddress: String(proof.effect.vault),
        registered: pair === registerVaultCall,
      }
      return { data, block: proof.transaction.block }
    }

  return {
    register: {
      async build(call: MarketCall, marketId: string, vaultAddress: string | undefined) {
        const record = await findDeployedMarket(call, marketId)
        const vault = requireVault(vaultAddress)
        const { address, borrowAsset } = record.market
        const asked = await writes.ask(record, [
          contractRead(vault, abis.vault, 'asset', []),
          contractRead(vault, abis.vault, 'drawableFor', [address]),
          contractRead(vault, abis.vault, 'drawCapOf', [address]),
          contractRead(vault, abis.vault, 'owner', []),
          contractRead(address, abis.market, 'useVaultLiquidity', []),
        ])
        const [asset, drawable, cap, owner, isEnabled] = asked.answers
        if (!asset?.ok || !drawable?.ok || String(asset.value).toLowerCase() !== borrowAsset)
          throw new AppError('NOT_A_VAULT')
        const words = {
          description: `Adds ${vault} to the vaults that the market draws on.`,
          endpoint: writes.endpoint(call, marketId, '/register'),
        }
        const built = await writes.build(record, asked, registerVaultCall, { vault }, words)
        const found = [
          ...warning('VAULT_LIQUIDITY_OFF', isEnabled?.ok === true && isEnabled.value === false),
          ...warning('VAULT_WITHOUT_CAP', cap?.ok === true && cap.value === 0n),
          ...warning('VAULT_OF_OTHER_OPERATOR', owner?.ok === true && owner.value !== asked.operator),
        ]
        return { ...built, data: { ...built.data, vaultAddress: vault, warnings: found } }
      },
      confirm: confirmAs(registerVaultCall),
    },

    deregister: {
      async build(call: MarketCall, marketId: string, vaultAddress: string | undefined) {
        const record = await findDeployedMarket(call, marketId)
        const vault = requireVault(vaultAddress)
        const asked = await writes.ask(record)
        const words = {
          description: `Takes ${vault} out of the vaults that the market draws on. Its pool shares stay its own.`,
          endpoint: writes.endpoint(call, marketId, '/deregister'),
        }
        const built = await writes.build(record, asked, deregisterVaultCall, { vault }, words)
        return { ...built, data: { ...built.data, vaultAddress: vault } }
      },
      confirm: confirmAs(deregisterVaultCall),
    },
  }
}

export type RegisterVaults = ReturnType<typeof createRegisterVaults>
