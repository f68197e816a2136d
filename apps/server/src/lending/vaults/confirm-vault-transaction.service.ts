import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Hex, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { LendingParts } from '../parts.ts'
import { assetOf, findOwnVault, type VaultCall } from './own-vault.service.ts'
import { depositCall, redeemCall } from './vault-money.call.ts'

type ConfirmBody = BodyOf<typeof lendingOperations.confirmVaultTransaction>

/** The proof of a deposit or a redemption: the event of the vault, whoever asked for it. */
export function createConfirmVaultTransaction({ chains, intents }: LendingParts) {
  return async function confirm(call: VaultCall, vaultAddress: string, { txHash, txType }: ConfirmBody) {
    const vault = await findOwnVault(call, vaultAddress)
    const place = { chain: chains.get(call.chainId), target: vault.address, kind: 'vault' }
    const { effect, transaction, verifiedBy } =
      txType === 'DEPOSIT'
        ? await intents.confirm(call.tenant, { ...place, pair: depositCall }, {}, txHash as Hex)
        : await intents.confirm(call.tenant, { ...place, pair: redeemCall }, {}, txHash as Hex)
    const amount = BigInt(String(effect.amount))
    const { distributor = zeroAddress } = effect
    const data = {
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      txType,
      signedBy: transaction.from,
      vaultAddress: vault.address,
      holder: String(effect.holder),
      distributor: distributor === zeroAddress ? null : String(distributor),
      amount: formatUnits(amount, vault.assetDecimals),
      amountRaw: amount.toString(),
      shares: formatUnits(BigInt(String(effect.shares)), vault.assetDecimals),
      asset: assetOf(vault),
      at: new Date(transaction.block.time * 1000).toISOString(),
    }
    return { data, block: transaction.block }
  }
}

export type ConfirmVaultTransaction = ReturnType<typeof createConfirmVaultTransaction>
