import { Type } from 'typebox'
import { LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { Bps, builtB, ConfirmWith, rateModes, signerBlock, UnixSeconds, verifiedBy } from './lending.schemas.ts'

const bps = Type.String({ description: 'Basis points.' })
const seconds = Type.String({ description: 'Seconds.' })

/** What the lender offers now, as a market's own page shows it. */
const Offering = Data({
  rateMode: OneOf(rateModes),
  rateFloor: bps,
  rateCap: bps,
  maxFixedRate: Nullable(bps),
  maxLoanDuration: seconds,
  termGracePeriod: seconds,
  terminalDueDate: Nullable(seconds),
  marketDueFloor: Nullable(seconds),
  termPenalty: bps,
  allowExtension: Type.Boolean(),
  reserveRatio: bps,
  operatorShare: bps,
})

/** A setting to be signed. */
export const settingBuilt = {
  ...builtB,
  ...signerBlock,
  description: Type.String(),
  confirmWith: ConfirmWith,
} as const

/** A setting that was mined, and what stands on chain after it. */
export const SettingConfirmed = Data({
  txHash: Type.String(),
  functionName: Type.String(),
  signedBy: LowercaseAddress,
  blockNumber: Type.String(),
  ...verifiedBy,
  offering: Offering,
})

const terms = ['maxLoanDuration', 'terminalDueDate', 'termGracePeriod', 'termPenalty', 'marketDueFloor'] as const

/** Which terms a loan keeps from the day it was opened, and which follow the market. */
export const termReach = {
  termStamping: OneOf(['PER_LOAN', 'MARKET_CONFIG', 'UNKNOWN']),
  stampedOnNewLoansOnly: Type.Array(OneOf(terms)),
  appliesToOpenLoans: Type.Array(OneOf(terms)),
  openLoansFollowingConfig: Type.Optional(
    Type.Integer({ description: 'Only where terms are not stamped per loan: how many open loans would change.' }),
  ),
} as const

export const ExitHorizon = Type.Object(
  {
    horizon: Nullable(UnixSeconds),
    bounded: Nullable(Type.Boolean({ description: 'False: an open loan has no maturity. null: not known.' })),
    applies: Type.Boolean({ description: 'False: nothing is lent.' }),
    basis: OneOf(['OPEN_LOANS', 'HIGH_WATER_MARK'], {
      description: 'HIGH_WATER_MARK: the latest maturity ever stamped, while our record of the loans lags behind.',
    }),
  },
  { additionalProperties: false, description: 'When the last open loan matures, grace not counted.' },
)

export const TermFloorExposure = Data({
  exposed: Type.Boolean({ description: 'A sale at the floor could leave part of a matured claim open.' }),
  uncoveredBps: Type.Integer({ description: 'Of the claim on a loan that owes as much as its threshold allows.' }),
  sliceSizedToFloor: Type.Boolean({ description: 'What is seized at maturity is counted at the floor price.' }),
  floorGapBps: Bps,
  auctionMinPremiumBps: Bps,
  termPenaltyBps: Bps,
  useDutchAuction: Type.Boolean(),
  reserveCoversFloorSales: Type.Boolean(),
  reserveFloorSaleNote: Type.String(),
})

export const TermWarning = Data({
  kind: OneOf(['OPEN_TERMED_LOANS_AFFECTED', 'TERM_FLOOR_EXPOSURE']),
  message: Type.String(),
})
