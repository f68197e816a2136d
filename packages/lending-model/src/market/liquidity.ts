import { assetsForDown, isWipedOut, sharesForDown } from '../rules/shares.ts'
import { accrue, feesForShares, refreshRate, shareBase } from './books.ts'
import { demand, move } from './refusal.ts'
import type { LendingState, Party, Position, Turn } from './state.ts'

const firstDepositUnits = 1_000n

/** A provider's fees and epoch, brought up to date. Shares of an earlier epoch are worth nothing. */
export function upToDate({ pool }: LendingState, provider: Party): Position {
  const known = pool.positions.get(provider)
  if (!known) return { shares: 0n, epoch: pool.epoch, perShare: pool.distributorPerShare, owedFees: 0n }
  const isCurrent = known.epoch === pool.epoch
  const perShareEnd = isCurrent ? pool.distributorPerShare : (pool.epochEndPerShare.get(known.epoch) ?? 0n)
  return {
    shares: isCurrent ? known.shares : 0n,
    epoch: pool.epoch,
    perShare: pool.distributorPerShare,
    owedFees: known.owedFees + feesForShares(known.shares, perShareEnd - known.perShare),
  }
}

export function addLiquidity(turn: Turn, amount: bigint): void {
  const { state, caller } = turn
  const { pool } = state
  demand(!state.isPaused, 'MarketIsPaused')
  demand(caller === state.operator, 'NotProvider')
  accrue(turn)
  if (isWipedOut(shareBase(state))) startEpoch(state)
  const base = shareBase(state)
  // What a pool without shares still has is the first cash of the newcomers.
  const shares = sharesForDown(amount, pool.totalShares === 0n ? { ...base, totalAssets: 0n } : base)
  demand(shares > 0n, 'InvalidAmount')
  const isFirst = pool.totalShares === 0n
  demand(!isFirst || amount >= firstDepositUnits * 10n ** state.assetDecimals, 'BelowInitialDeposit')
  const position = upToDate(state, caller)
  pool.positions.set(caller, { ...position, shares: position.shares + shares })
  pool.totalShares += shares
  pool.cash += amount
  refreshRate(turn)
  move(state.assets, caller, 'market', amount)
}

function startEpoch({ pool }: LendingState): void {
  pool.epochEndPerShare.set(pool.epoch, pool.distributorPerShare)
  pool.epoch += 1n
  pool.totalShares = 0n
}

/** All or nothing; the reserve does not hold a withdrawal back. */
export function removeLiquidity(turn: Turn, shares: bigint): void {
  const { state, caller } = turn
  const { pool } = state
  accrue(turn)
  const position = upToDate(state, caller)
  demand(shares > 0n && shares <= position.shares, 'InsufficientShares')
  const amount = assetsForDown(shares, shareBase(state))
  demand(amount <= pool.cash, 'InsufficientLiquidity')
  pool.positions.set(caller, { ...position, shares: position.shares - shares })
  pool.totalShares -= shares
  pool.cash -= amount
  refreshRate(turn)
  move(state.assets, 'market', caller, amount)
}

export function sweepInfrastructureFees({ state }: Turn): void {
  sweep(state, 'infrastructureFees', 'platform')
}

export function sweepOperatorFees({ state }: Turn): void {
  sweep(state, 'operatorFees', state.operator)
}

export function sweepProtocolFees({ state }: Turn): void {
  demand(state.pool.protocolFees > 0n, 'NothingToSweep')
  demand(state.isFundAuthorized, 'MarketNotAuthorized')
  sweep(state, 'protocolFees', 'fund')
}

export function sweepDistributorFees({ state }: Turn, provider: Party): void {
  const position = upToDate(state, provider)
  demand(position.owedFees > 0n, 'NothingToSweep')
  state.pool.positions.set(provider, { ...position, owedFees: 0n })
  state.pool.distributorFees -= position.owedFees
  move(state.assets, 'market', provider, position.owedFees)
}

function sweep(
  { pool, assets }: LendingState,
  leg: 'infrastructureFees' | 'operatorFees' | 'protocolFees',
  to: Party,
): void {
  demand(pool[leg] > 0n, 'NothingToSweep')
  move(assets, 'market', to, pool[leg])
  pool[leg] = 0n
}
