import { lendingOperations } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { approveStep, plannedCall } from '../../platform/chain/unsigned-call.ts'
import { partBps } from '../core/index.rules.ts'
import { optionalAddress, requirePositive } from '../core/index.ts'
import { depositRefusal, showAttribution } from './deposit-terms.ts'
import { depositCall } from './money-calls.ts'
import { assetOf, requireBooks } from './own-vault.ts'
import { sharesForDepositDown } from './vault-money.rules.ts'
import { vaultBuild } from './vault-write.ts'
import { instant, REDEMPTION_WAIT, sharePrice } from './vaults.rules.ts'

/** An investor's money for a vault. */
export const depositToVault = vaultBuild(lendingOperations.depositToVault, {
  confirmedBy: lendingOperations.confirmVaultTransaction,

  async build({ vault, chain, body, cash, refuse }) {
    const amount = requirePositive('amount', body.amount, vault.assetDecimals)
    const holderAddress = optionalAddress('holderAddress', body.holderAddress)
    const requested = optionalAddress('distributor', body.distributor)
    const books = await requireBooks(chain, vault, holderAddress)
    const { block, state, holder } = books
    const refusal = depositRefusal(books, holder)
    if (refusal) throw refuse(refusal)
    if (holder && holder.balance < amount)
      throw refuse('INSUFFICIENT_BALANCE', {
        extra: { details: { payer: holder.address, balance: cash(holder.balance), required: cash(amount) } },
      })
    const shares = sharesForDepositDown(amount, state)
    const shown = `${cash(amount)} ${vault.assetSymbol}`
    return {
      block,
      signer: holderAddress,
      // Nobody in particular holds no money, so a simulation would tell nothing.
      unsimulated: holder === null,
      args: plannedCall(depositCall, vault.address, { amount, distributor: requested ?? zeroAddress }),
      steps: {
        before: [approveStep(vault.asset, vault.address, amount, `Lets the vault take ${shown}.`)],
        description: `Deposits ${shown} into the vault ${vault.name}.`,
      },
      confirmWith: { txType: 'DEPOSIT' },
      answer: {
        functionName: 'deposit' as const,
        vaultAddress: vault.address,
        holder: holderAddress,
        amount: cash(amount),
        amountRaw: amount.toString(),
        asset: assetOf(vault),
        preview: {
          shares: cash(shares),
          sharePrice: sharePrice(state.totalAssets, state.totalSupply),
          shareOfVaultBps: partBps((holder?.shares ?? 0n) + shares, state.totalSupply + shares),
          redeemableAt: state.version < 2 ? null : instant(block.time + REDEMPTION_WAIT),
        },
        depositorRegistry: state.depositorRegistry,
        attribution: showAttribution(holder, requested, vault.wallets),
      },
    }
  },
})
