import { Type } from 'typebox'
import { DecimalString, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { UnixSeconds } from './lending.schemas.ts'
import { CountedId } from './positions.schemas.ts'

const auctionFields = {
  auctionId: CountedId,
  loanId: CountedId,
  marketLiquidationId: CountedId,
  borrower: LowercaseAddress,
  collateralAmount: DecimalString,
  collateralRemaining: DecimalString,
  debtRemaining: DecimalString,
  currentPrice: DecimalString,
  floorPrice: DecimalString,
  oraclePrice: DecimalString,
  startedAt: UnixSeconds,
  endTime: UnixSeconds,
  active: Type.Boolean(),
  expired: Type.Boolean(),
  biddable: Type.Boolean({ description: 'Running, the market is not paused, and its oracle vouches for a price.' }),
  settleable: Type.Boolean({ description: 'Past its end with collateral left: what is left can go to the router.' }),
  phase: OneOf(['RUNNING', 'EXPIRED', 'CLOSED']),
} as const

const describe = {
  description:
    'Prices are in units of the borrow asset per whole collateral token; a closed auction has none and shows 0. `debtRemaining` is the part of the claim that falls to the collateral still for sale. While the market is paused its clock stands still, and `endTime` moves.',
}

export const ListedAuction = Type.Object(auctionFields, { additionalProperties: false, ...describe })
export const Auction = Type.Object(
  { ...auctionFields, venueAddress: LowercaseAddress },
  { additionalProperties: false, ...describe },
)

export const Reserve = Data({ requested: DecimalString, covered: DecimalString, uncovered: DecimalString })

export const Surplus = Data({
  kind: OneOf(['SURPLUS_RETURNED', 'SURPLUS_ESCROWED']),
  loanId: CountedId,
  borrower: LowercaseAddress,
  amount: DecimalString,
})

/** What the bid that takes the last of the collateral settles. */
export const settledByBid = {
  totalProceeds: DecimalString,
  debtCovered: DecimalString,
  marketLiquidationId: CountedId,
  shortfall: DecimalString,
  reserve: Nullable(Reserve),
  surplus: Type.Array(Surplus),
} as const
