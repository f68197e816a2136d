import type { SeededRandom } from '@tallystick/testkit'
import type { LendingState } from '../market/state.ts'
import { around, drawSeconds } from './amounts.ts'
import { drawFundStep, drawGovernanceStep, drawSaleBid, drawSweep } from './draw-governance-steps.ts'
import type { Draw, Drawn } from './draw-loan-steps.ts'
import * as loanSteps from './draw-loan-steps.ts'
import { drawAuctionStep, drawRecordStep, drawRouterStep, drawSaleToBidder } from './draw-sale-steps.ts'
import { lenders } from './parties.ts'
import type { Step } from './steps.ts'

type Drawing = (draw: Draw) => Drawn | undefined

const weights: [number, Drawing][] = [
  [6, drawAddLiquidity],
  [5, drawRemoveLiquidity],
  [12, loanSteps.drawOpenLoan],
  [6, loanSteps.drawBorrowMore],
  [10, loanSteps.drawRepay],
  [2, loanSteps.drawCloseLoan],
  [4, loanSteps.drawAddCollateral],
  [5, loanSteps.drawWithdrawCollateral],
  [12, drawPrice],
  [12, loanSteps.drawLiquidate],
  [18, drawRouterStep],
  [3, drawSaleToBidder],
  [4, drawRecordStep],
  [18, drawAuctionStep],
  [5, drawGovernanceStep],
  [3, drawFundStep],
  [4, drawSweep],
]
const totalWeight = weights.reduce((total, [weight]) => total + weight, 0)

/** A step that makes sense in this state, or is just beyond what is allowed. */
export function drawStep(random: SeededRandom, state: LendingState, lastAt: bigint): Step {
  const isSelling = [...state.auctions.values()].some((auction) => auction.isActive)
  const seconds = isSelling && random.chance(0.7) ? random.bigint(1n, 300n) : drawSeconds(random)
  const draw: Draw = { random, state, now: lastAt + seconds }
  for (;;) {
    const drawn = drawOne(draw)
    if (drawn) return { ...drawn, seconds }
  }
}

function drawOne(draw: Draw): Drawn | undefined {
  const { random, state } = draw
  if (state.pool.totalShares === 0n && random.chance(0.5)) return drawAddLiquidity(draw)
  if (state.isPaused && random.chance(0.3)) return drawGovernanceStep(draw)
  if (draw.now > state.oracle.updatedAt + state.oracle.maxPriceAge && random.chance(0.6)) return drawPrice(draw)
  if (state.isAtomic && draw.now > state.bid.validUntil && random.chance(0.3)) return drawSaleBid(draw)
  let ticket = random.integer(0, totalWeight - 1)
  for (const [weight, drawing] of weights) {
    if (ticket < weight) return drawing(draw)
    ticket -= weight
  }
  return undefined
}

function drawAddLiquidity({ random, state }: Draw): Drawn {
  const unit = 10n ** state.assetDecimals
  const amount = random.pick([around(random, 1_000n * unit), random.bigint(1n, 200_000n * unit)])
  return { name: 'addLiquidity', caller: random.chance(0.95) ? state.operator : 'stranger', args: { amount } }
}

function drawRemoveLiquidity({ random, state }: Draw): Drawn {
  const caller = random.pick(lenders)
  const held = state.pool.positions.get(caller)?.shares ?? 0n
  return { name: 'removeLiquidity', caller, args: { shares: around(random, random.pick([held, held / 5n])) } }
}

/** Falls more often than not, but comes back before it is worth nothing. */
function drawPrice({ random, state }: Draw): Drawn {
  const { price } = state.oracle
  const caller = random.chance(0.98) ? 'signer' : 'stranger'
  const unit = 10n ** state.assetDecimals
  const isLow = price < unit
  if (price < unit / 1_000n && random.chance(0.5)) {
    // Deviation bounds what one step may do: the way back from nothing takes many.
    return { name: 'updatePrice', caller, args: { price: price + (price * state.oracle.maxDeviationBps) / 10_000n } }
  }
  if (random.chance(0.004)) return { name: 'updatePrice', caller, args: { price: random.bigint(1n, 10n) } }
  const percent = isLow ? random.bigint(95n, 199n) : random.bigint(60n, 135n)
  const moved = random.chance(0.1) ? around(random, price) : (price * percent) / 100n + 1n
  return { name: 'updatePrice', caller, args: { price: moved } }
}
