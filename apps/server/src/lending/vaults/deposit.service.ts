import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { partBps } from '../core/index.rules.ts'
import {
  approveStep,
  buildSteps,
  endpointAt,
  optionalAddress,
  type PlannedStep,
  requirePositive,
} from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { depositCall } from './money-calls.ts'
import { assetOf, findOwnVault, requireBooks, type VaultCall } from './own-vault.ts'
import type { VaultBooks, VaultHolder } from './vault-books.ts'
import { attributionOf, isVaultWipedOut, sharesForDepositDown } from './vault-money.rules.ts'
import { closedFor, instant, REDEMPTION_WAIT, sharePrice } from './vaults.rules.ts'
import type { OwnVault } from './vaults.store.ts'

type DepositBody = BodyOf<typeof lendingOperations.depositToVault>

const notes = {
  BINDS_NOW: 'With this deposit the holder is bound to the distributor for good, with all shares it has.',
  ALREADY_BOUND: 'The holder is bound to this distributor already.',
  BOUND_ELSEWHERE: 'The holder is bound to another distributor for good: the one that was asked for gets nothing.',
  UNATTRIBUTED: 'No distributor: what these shares earn in fees is the owner’s.',
  UNKNOWN: 'Whether this binds the holder depends on who signs: name holderAddress to know.',
} as const

/** Why a deposit of this holder would be refused; null: it would not. */
export function depositRefusal({ state }: VaultBooks, holder: VaultHolder | null) {
  const closed = closedFor(state)
  if (closed) return closed
  if (isVaultWipedOut(state)) return 'VAULT_WIPED_OUT' as const
  return holder && !holder.isVerified ? ('DEPOSITOR_NOT_VERIFIED' as const) : null
}

function showAttribution(holder: VaultHolder | null, requested: Address | null, wallets: readonly Address[]) {
  const known = holder && attributionOf(holder.distributor, requested)
  return {
    supported: true as const,
    binding: known?.binding ?? null,
    requestedDistributor: requested,
    distributor: known?.distributor ?? null,
    creditsThisInstance: known ? known.distributor !== null && wallets.includes(known.distributor) : null,
    note: notes[known?.binding ?? 'UNKNOWN'],
  }
}

/** An investor's money for a vault. */
export function createDeposit({ clock, chains }: LendingParts) {
  function plan(vault: OwnVault, amount: bigint, distributor: Address | null): PlannedStep[] {
    const shown = `${formatUnits(amount, vault.assetDecimals)} ${vault.assetSymbol}`
    return [
      approveStep(vault.asset, vault.address, amount, `Lets the vault take ${shown}.`),
      {
        call: depositCall.prepare(vault.address, { amount, distributor: distributor ?? zeroAddress }),
        functionName: depositCall.functionName,
        description: `Deposits ${shown} into the vault ${vault.name}.`,
      },
    ]
  }

  return {
    async build(call: VaultCall, vaultAddress: string, body: DepositBody) {
      const vault = await findOwnVault(call, vaultAddress)
      const amount = requirePositive('amount', body.amount, vault.assetDecimals)
      const holderAddress = optionalAddress('holderAddress', body.holderAddress)
      const requested = optionalAddress('distributor', body.distributor)
      const chain = chains.get(call.chainId)
      const books = await requireBooks(chain, vault, holderAddress)
      const { block, state, holder } = books
      const refusal = depositRefusal(books, holder)
      if (refusal) throw new AppError(refusal)
      const shown = (raw: bigint) => formatUnits(raw, vault.assetDecimals)
      if (holder && holder.balance < amount)
        throw new AppError('INSUFFICIENT_BALANCE', {
          extra: { details: { payer: holder.address, balance: shown(holder.balance), required: shown(amount) } },
        })
      const shares = sharesForDepositDown(amount, state)
      const { built, calls } = await buildSteps(chain, holderAddress, plan(vault, amount, requested), clock)
      const data = {
        ...built,
        // Nobody in particular holds no money, so a simulation would tell nothing.
        ...(holder ? {} : { simulation: { simulated: false, success: false, gasUsed: null, revert: null } }),
        confirmStepIndex: 1,
        functionName: 'deposit' as const,
        vaultAddress: vault.address,
        holder: holderAddress,
        amount: shown(amount),
        amountRaw: amount.toString(),
        asset: assetOf(vault),
        preview: {
          shares: shown(shares),
          sharePrice: sharePrice(state.totalAssets, state.totalSupply),
          shareOfVaultBps: partBps((holder?.shares ?? 0n) + shares, state.totalSupply + shares),
          redeemableAt: state.version < 2 ? null : instant(block.time + REDEMPTION_WAIT),
        },
        depositorRegistry: state.depositorRegistry,
        attribution: showAttribution(holder, requested, vault.wallets),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/vaults/${vault.address}/confirm-tx`),
          field: 'txHash' as const,
          body: { txHash: null, txType: 'DEPOSIT' as const },
        },
      }
      return { data, block, calls }
    },
  }
}

export type Deposit = ReturnType<typeof createDeposit>
