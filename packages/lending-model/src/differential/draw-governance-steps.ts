import type { RateOffer } from '../rules/interest.ts'
import { around } from './amounts.ts'
import type { Draw, Drawn } from './draw-loan-steps.ts'
import { lenders } from './parties.ts'

function drawOffer({ random }: Draw): RateOffer {
  const kind = random.integer(0, 2)
  if (kind === 0) return { mode: 'CURVE' }
  if (kind === 1) return { mode: 'FIXED', fixedBps: random.pick([0n, 1n, 650n, 650n, 1_234n, 50_000n, 50_001n]) }
  return { mode: 'CLAMPED', floorBps: random.bigint(0n, 1_500n), capBps: random.bigint(0n, 60_000n) }
}

function drawConfig({ random, state }: Draw): Drawn {
  const { config } = state
  const change = random.pick([
    { protocolFeeBps: random.pick([0n, 500n, 3_333n, 10_000n, 10_001n]) },
    { closeFactorBps: random.bigint(999n, 5_001n) },
    { liquidationPenaltyBps: random.bigint(0n, 5_001n) },
    { collateralFactorBps: random.bigint(5_000n, 9_001n) },
    { liquidationThresholdBps: random.bigint(7_000n, 9_501n) },
    { minBorrowAmount: random.bigint(0n, 200n * 10n ** state.assetDecimals) },
    { useDutchAuction: !config.useDutchAuction },
    { useDutchAuction: true },
    { useDutchAuction: false },
    { auctionDuration: random.bigint(599n, 86_401n), auctionStartBps: random.bigint(9_999n, 20_001n) },
    { auctionMinBps: random.bigint(7_999n, 10_001n) },
    { maxUserCollateral: random.pick([0n, 0n, 10_000n * 10n ** state.collateralDecimals]) },
    { maxTotalCollateral: random.pick([0n, 0n, 30_000n * 10n ** state.collateralDecimals]) },
  ])
  return { name: 'setConfig', caller: 'admin', args: { config: { ...config, ...change } } }
}

function drawTerms({ random, state, now }: Draw): Drawn {
  const day = 86_400n
  const terms = {
    maxLoanDuration: random.pick([0n, day, 7n * day, 90n * day, 3_651n * day]),
    gracePeriod: random.pick([day, 3n * day, 30n * day, day - 1n]),
    terminalDueAt: random.chance(0.15) ? now + random.bigint(0n, 400n * day) : 0n,
    termPenaltyBps: random.pick([0n, 100n, state.config.liquidationPenaltyBps, 5_000n]),
  }
  return { name: 'setTermConfig', caller: 'admin', args: { terms } }
}

export function drawGovernanceStep(draw: Draw): Drawn {
  const { random, state } = draw
  if (state.isPaused && random.chance(0.5)) return { name: 'unpause', caller: 'admin', args: {} }
  const kind = random.integer(0, 19)
  if (kind < 5) return { name: 'setRateMode', caller: 'admin', args: { offer: drawOffer(draw) } }
  if (kind < 10) return drawConfig(draw)
  if (kind < 12) return drawTerms(draw)
  if (kind < 13) return { name: 'setReserveRatio', caller: 'admin', args: { ratioBps: random.bigint(0n, 5_001n) } }
  if (kind < 14) return { name: 'pause', caller: random.pick(['admin', 'stranger']), args: {} }
  if (kind < 15) return { name: 'syncRate', caller: 'stranger', args: {} }
  if (kind < 16) {
    return { name: 'setOperatorFeeRecipient', caller: random.pick(lenders), args: { next: random.pick(lenders) } }
  }
  if (kind < 17) return { name: 'setAtomicMode', caller: 'admin', args: { isAtomic: random.chance(0.4) } }
  return drawSaleBid(draw)
}

export function drawSaleBid({ random, now }: Draw): Drawn {
  const factorBps = random.pick([0n, 9_499n, 9_500n, 9_800n, 9_800n, 10_000n, 10_500n, 20_000n, 20_001n])
  const validUntil = now + random.bigint(0n, 40n * 86_400n)
  return { name: 'setSaleBid', caller: 'saleRecipient', args: { factorBps, validUntil } }
}

export function drawFundStep({ random, state }: Draw): Drawn {
  const kind = random.integer(0, 9)
  const unit = 10n ** state.assetDecimals
  if (kind < 6) return { name: 'topUpFund', caller: 'stranger', args: { amount: random.bigint(0n, 3_000n * unit) } }
  if (kind < 8) {
    const amount = around(random, state.assets.get('fund') ?? 0n)
    return { name: 'emergencyWithdraw', caller: 'admin', args: { amount } }
  }
  return { name: 'setFundAuthorized', caller: 'admin', args: { isAuthorized: random.chance(0.7) } }
}

export function drawSweep({ random }: Draw): Drawn {
  const caller = random.pick(['stranger', 'lenderA'])
  const kind = random.integer(0, 4)
  if (kind === 0) return { name: 'sweepInfrastructureFees', caller, args: {} }
  if (kind === 1) return { name: 'sweepOperatorFees', caller, args: {} }
  if (kind === 2) return { name: 'sweepProtocolFees', caller, args: {} }
  return { name: 'sweepDistributorFees', caller, args: { provider: random.pick(lenders) } }
}
