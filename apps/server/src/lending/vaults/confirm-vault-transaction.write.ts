import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { candidate, type Evidence } from '../../writes/index.ts'
import { depositCall, redeemCall } from './money-calls.ts'
import { assetOf } from './own-vault.ts'
import { vaultConfirmation } from './vault-write.ts'

interface Moved {
  readonly holder: Address
  readonly amount: bigint
  readonly shares: bigint
  /** Only a deposit names one. */
  readonly distributor?: Address
}

/** The proof of a deposit or a redemption: the event of the vault, whoever asked for it. */
export const confirmVaultTransaction = vaultConfirmation(lendingOperations.confirmVaultTransaction, {
  evidence: ({ vault, body: { txType } }): Evidence<Moved> => ({
    target: vault.address,
    kind: depositCall.kind,
    candidates: [txType === 'REDEEM' ? candidate(redeemCall, {}) : candidate(depositCall, {})],
  }),

  proven({ effect, transaction }, { vault, body, cash }) {
    const { distributor = zeroAddress } = effect
    return {
      txType: body.txType,
      signedBy: transaction.from,
      vaultAddress: vault.address,
      holder: effect.holder,
      distributor: distributor === zeroAddress ? null : distributor,
      amount: cash(effect.amount),
      amountRaw: effect.amount.toString(),
      shares: cash(effect.shares),
      asset: assetOf(vault),
      at: new Date(transaction.block.time * 1000).toISOString(),
    }
  },
})
