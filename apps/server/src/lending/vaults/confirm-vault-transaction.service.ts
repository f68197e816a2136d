import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, type Hex, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { LendingParts } from '../parts.ts'
import { depositCall, redeemCall } from './money-calls.ts'
import { assetOf, findOwnVault, type VaultCall } from './own-vault.ts'

type ConfirmBody = BodyOf<typeof lendingOperations.confirmVaultTransaction>

/** The proof of a deposit or a redemption: the event of the vault, whoever asked for it. */
export function createConfirmVaultTransaction({ chains, writes }: LendingParts) {
  /** Only a deposit names a distributor. */
  async function prove({ tenant, chainId }: VaultCall, target: Address, { txHash, txType }: ConfirmBody) {
    const place = { chain: chains.get(chainId), target, kind: 'vault' }
    if (txType === 'REDEEM') {
      const proof = await writes.confirm(tenant, { ...place, pair: redeemCall }, {}, txHash as Hex)
      return { ...proof, distributor: zeroAddress }
    }
    const proof = await writes.confirm(tenant, { ...place, pair: depositCall }, {}, txHash as Hex)
    return { ...proof, distributor: proof.effect.distributor }
  }

  return async function confirm(call: VaultCall, vaultAddress: string, body: ConfirmBody) {
    const vault = await findOwnVault(call, vaultAddress)
    const { effect, distributor, transaction, verifiedBy } = await prove(call, vault.address, body)
    const data = {
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      txType: body.txType,
      signedBy: transaction.from,
      vaultAddress: vault.address,
      holder: effect.holder,
      distributor: distributor === zeroAddress ? null : distributor,
      amount: formatUnits(effect.amount, vault.assetDecimals),
      amountRaw: effect.amount.toString(),
      shares: formatUnits(effect.shares, vault.assetDecimals),
      asset: assetOf(vault),
      at: new Date(transaction.block.time * 1000).toISOString(),
    }
    return { data, block: transaction.block }
  }
}

export type ConfirmVaultTransaction = ReturnType<typeof createConfirmVaultTransaction>
