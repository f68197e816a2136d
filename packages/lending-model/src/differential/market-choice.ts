import type { SeededRandom } from '@tallystick/testkit'
import type { RateCurve } from '../rules/interest.ts'

/** What distinguishes the markets of a run. */
export interface MarketChoice {
  assetDecimals: bigint
  collateralDecimals: bigint
  openFee: bigint
  repayFee: bigint
  curve: RateCurve
  maxLoanDuration: bigint
  initialPrice: bigint
  maxPriceAge: bigint
  maxDeviationBps: bigint
  useDutchAuction: boolean
  auctionDuration: bigint
  protocolFeeBps: bigint
}

const defaultCurve = { baseBps: 200n, multiplierBps: 1_000n, jumpBps: 10_000n, kinkBps: 8_000n }

/** For scripts with numbers that can be followed by hand. */
export const plainMarket: MarketChoice = {
  assetDecimals: 6n,
  collateralDecimals: 18n,
  openFee: 0n,
  repayFee: 0n,
  curve: defaultCurve,
  maxLoanDuration: 0n,
  initialPrice: 100_000_000n,
  maxPriceAge: 2_592_000n,
  maxDeviationBps: 10_000n,
  useDutchAuction: false,
  auctionDuration: 3_600n,
  protocolFeeBps: 0n,
}

export function drawMarket(random: SeededRandom): MarketChoice {
  const assetDecimals = random.pick([6n, 6n, 8n, 18n])
  const unit = 10n ** assetDecimals
  return {
    assetDecimals,
    collateralDecimals: random.pick([0n, 6n, 18n]),
    openFee: random.pick([0n, 5n * unit, 123_457n]),
    repayFee: random.pick([0n, 2n * unit, 98_765n]),
    curve: random.pick([
      defaultCurve,
      { baseBps: 0n, multiplierBps: 3_333n, jumpBps: 777_777n, kinkBps: 5_001n },
      { baseBps: 50_000n, multiplierBps: 1n, jumpBps: 1n, kinkBps: 10_000n },
    ]),
    maxLoanDuration: random.pick([0n, 86_400n, 30n * 86_400n]),
    initialPrice: random.pick([100n * unit, (104_820_001n * unit) / 1_000_000n, 7n * unit + 13n, unit / 20n + 7n]),
    maxPriceAge: random.pick([86_400n, 2_592_000n]),
    maxDeviationBps: random.pick([5_000n, 10_000n]),
    useDutchAuction: random.chance(0.5),
    auctionDuration: random.pick([600n, 3_600n, 86_400n]),
    protocolFeeBps: random.pick([0n, 500n, 1_234n]),
  }
}
