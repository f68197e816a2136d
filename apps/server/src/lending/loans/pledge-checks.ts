import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import type { Market } from '../core/index.rules.ts'
import { explainLending } from '../reverts/index.ts'
import type { ForeignAnswers } from './foreign.reads.ts'

type AdapterSide = Pick<ForeignAnswers, 'isAdapterAgent' | 'adapterVerified' | 'adapterListed'>

/** What the token still has to grant the adapter; null: nothing that can be seen. */
function missingGrant({ mode }: Market, { isAdapterAgent, adapterVerified, adapterListed }: AdapterSide) {
  if (mode === 'FREEZE') return isAdapterAgent === false ? ('TOKEN_AGENT' as const) : null
  // A token that asks a register goes by that, one that keeps a list by the list; with both, either will do.
  if (adapterVerified || adapterListed) return null
  if (adapterListed === false) return 'AUTHORIZED_CONTRACT' as const
  return adapterVerified === false ? ('VERIFIED_HOLDER' as const) : null
}

export function requireAdapter(
  market: Market,
  side: AdapterSide,
  refuse: Refuse<'COLLATERAL_ADAPTER_NOT_AUTHORIZED'>,
): void {
  const requirement = missingGrant(market, side)
  if (requirement)
    throw refuse('COLLATERAL_ADAPTER_NOT_AUTHORIZED', {
      extra: { details: { adapterAddress: market.adapter, requirement } },
    })
}

interface Caps {
  readonly maxTotalCollateral: bigint
  readonly maxUserCollateral: bigint
}

/** The caps of the market on what is pledged, over all loans and over all loans of one borrower. 0: none. */
export function requireWithinCaps(
  { collateralDecimals }: Market,
  { maxTotalCollateral, maxUserCollateral }: Caps,
  amount: bigint,
  pledged: { readonly total: bigint; readonly mine: bigint | null },
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'SUPPLY_CAP_EXCEEDED' | 'USER_SUPPLY_CAP_EXCEEDED'>,
): void {
  if (pledged.mine === null) throw refuse('MARKET_STATE_UNAVAILABLE')
  const after = { total: pledged.total + amount, mine: pledged.mine + amount }
  const shown = (raw: bigint) => formatUnits(raw, collateralDecimals)
  const beyond = (total: bigint, cap: bigint) => ({
    detail: `The collateral would be ${shown(total)}; at most ${shown(cap)} is taken.`,
  })
  if (maxTotalCollateral !== 0n && after.total > maxTotalCollateral)
    throw refuse('SUPPLY_CAP_EXCEEDED', beyond(after.total, maxTotalCollateral))
  if (maxUserCollateral !== 0n && after.mine > maxUserCollateral)
    throw refuse('USER_SUPPLY_CAP_EXCEEDED', beyond(after.mine, maxUserCollateral))
}

/** The holder can give that much, and the token lets it go where it is pledged. What the token does not tell is not refused. */
export function requirePledgeable(
  { collateralDecimals, adapter }: Market,
  holder: Address,
  amount: bigint,
  { balance, frozen, transfer }: Pick<ForeignAnswers, 'balance' | 'frozen' | 'transfer'>,
  refuse: Refuse<'INSUFFICIENT_FREE_COLLATERAL' | 'COLLATERAL_TRANSFER_RESTRICTED'>,
): void {
  const shown = (raw: bigint) => formatUnits(raw, collateralDecimals)
  if (balance !== null) {
    const held = frozen ?? 0n
    const free = balance > held ? balance - held : 0n
    if (free < amount)
      throw refuse('INSUFFICIENT_FREE_COLLATERAL', {
        detail: `The holder has ${shown(free)} free, which is less than ${shown(amount)}.`,
        extra: { details: { holder, balance: shown(balance), frozen: shown(held), free: shown(free) } },
      })
  }
  if (transfer?.accepted === false) {
    const reason = transfer.revert === null ? 'The token answers false.' : explainLending(transfer.revert).message
    throw refuse('COLLATERAL_TRANSFER_RESTRICTED', {
      extra: { details: { holder, adapterAddress: adapter, reason } },
    })
  }
}
