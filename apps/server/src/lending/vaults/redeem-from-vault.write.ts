import { lendingOperations } from '@tallystick/wire'
import { plannedCall } from '../../platform/chain/unsigned-call.ts'
import { optionalAddress, requirePositive } from '../core/index.ts'
import { redeemCall } from './money-calls.ts'
import { assetOf, requireBooks } from './own-vault.ts'
import { redemptionOf } from './vault-money.rules.ts'
import { vaultBuild } from './vault-write.ts'
import { instant } from './vaults.rules.ts'

const FULL_NOTE = 'Everything is paid at once.'
const PART_NOTE =
  'The vault pays what it can get hold of now and burns only the shares that it pays for. The others stay: redeem them when loans are repaid.'
const UNREADABLE_NOTE =
  'Markets of the vault do not answer and count for nothing: what these shares have there is left to those who stay.'

/** Shares of a vault back for money, as far as there is some. */
export const redeemFromVault = vaultBuild(lendingOperations.redeemFromVault, {
  confirmedBy: lendingOperations.confirmVaultTransaction,

  async build({ vault, chain, body, cash, refuse }) {
    const holderAddress = optionalAddress('holderAddress', body.holderAddress)
    if (!holderAddress) throw refuse('HOLDER_REQUIRED')
    const shares = requirePositive('shares', body.shares, vault.assetDecimals)
    const { block, state, positions, holder } = await requireBooks(chain, vault, holderAddress)
    const held = holder?.shares ?? 0n
    const required = cash(shares)
    if (held < shares) throw refuse('INSUFFICIENT_SHARES', { extra: { details: { held: cash(held), required } } })
    const { fresh } = holder ?? { fresh: { shares: 0n, matureAt: 0 } }
    const mature = held - fresh.shares
    if (mature < shares) {
      const details = { redeemable: cash(mature), required, matureAt: instant(fresh.matureAt) }
      throw refuse('SHARES_NOT_MATURE', { extra: { details } })
    }
    const { amount, burned } = redemptionOf(state, positions, shares)
    if (amount === 0n) throw refuse('NOTHING_REDEEMABLE')
    const { unreadableMarkets } = state
    const isFull = burned === shares
    return {
      block,
      signer: holderAddress,
      args: plannedCall(redeemCall, vault.address, { shares }),
      confirmWith: { txType: 'REDEEM' },
      answer: {
        vaultAddress: vault.address,
        holder: holderAddress,
        shares: required,
        asset: assetOf(vault),
        maxPayableNow: cash(state.redeemableNow),
        willFillFully: isFull,
        expectedPayout: cash(amount),
        expectedPayoutRaw: amount.toString(),
        expectedSharesBurned: cash(burned),
        unreadableMarkets,
        note: [isFull ? FULL_NOTE : PART_NOTE, ...(unreadableMarkets.length > 0 ? [UNREADABLE_NOTE] : [])].join(' '),
      },
    }
  },
})
