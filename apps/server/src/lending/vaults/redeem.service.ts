import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { endpointAt, optionalAddress, requirePositive } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { redeemCall } from './money-calls.ts'
import { assetOf, findOwnVault, requireBooks, type VaultCall } from './own-vault.ts'
import { redemptionOf } from './vault-money.rules.ts'
import { instant } from './vaults.rules.ts'

type RedeemBody = BodyOf<typeof lendingOperations.redeemFromVault>

const FULL_NOTE = 'Everything is paid at once.'
const PART_NOTE =
  'The vault pays what it can get hold of now and burns only the shares that it pays for. The others stay: redeem them when loans are repaid.'

const UNREADABLE_NOTE =
  'Markets of the vault do not answer and count for nothing: what these shares have there is left to those who stay.'

/** Shares of a vault back for money, as far as there is some. */
export function createRedeem({ chains, writes }: LendingParts) {
  return {
    async build(call: VaultCall, vaultAddress: string, body: RedeemBody) {
      const vault = await findOwnVault(call, vaultAddress)
      const holderAddress = optionalAddress('holderAddress', body.holderAddress)
      if (!holderAddress) throw new AppError('HOLDER_REQUIRED')
      const shares = requirePositive('shares', body.shares, vault.assetDecimals)
      const chain = chains.get(call.chainId)
      const { block, state, positions, holder } = await requireBooks(chain, vault, holderAddress)
      const held = holder?.shares ?? 0n
      const shown = (raw: bigint) => formatUnits(raw, vault.assetDecimals)
      if (held < shares)
        throw new AppError('INSUFFICIENT_SHARES', {
          extra: { details: { held: shown(held), required: shown(shares) } },
        })
      const { fresh } = holder ?? { fresh: { shares: 0n, matureAt: 0 } }
      if (held - fresh.shares < shares)
        throw new AppError('SHARES_NOT_MATURE', {
          extra: {
            details: {
              redeemable: shown(held - fresh.shares),
              required: shown(shares),
              matureAt: instant(fresh.matureAt),
            },
          },
        })
      const { amount, burned } = redemptionOf(state, positions, shares)
      if (amount === 0n) throw new AppError('NOTHING_REDEEMABLE')
      const intent = { chain, pair: redeemCall, target: vault.address, kind: 'vault' }
      const built = await writes.build(intent, { shares }, holderAddress, explainLending)
      const data = {
        ...built,
        functionName: 'redeem' as const,
        vaultAddress: vault.address,
        holder: holderAddress,
        shares: shown(shares),
        asset: assetOf(vault),
        maxPayableNow: shown(state.redeemableNow),
        willFillFully: burned === shares,
        expectedPayout: shown(amount),
        expectedPayoutRaw: amount.toString(),
        expectedSharesBurned: shown(burned),
        unreadableMarkets: state.unreadableMarkets,
        note: [
          burned === shares ? FULL_NOTE : PART_NOTE,
          ...(state.unreadableMarkets.length > 0 ? [UNREADABLE_NOTE] : []),
        ].join(' '),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/vaults/${vault.address}/confirm-tx`),
          field: 'txHash' as const,
          body: { txHash: null, txType: 'REDEEM' as const },
        },
      }
      return { data, block, calls: [built.transaction] }
    },
  }
}

export type Redeem = ReturnType<typeof createRedeem>
