import { Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Auction } from './auctions.schemas.ts'
import { Data } from './lending.operation.ts'
import { Bps, IntegerString, UnixSeconds } from './lending.schemas.ts'
import { CountedId, LoanTerm } from './positions.schemas.ts'
import { AdmissionRequirement } from './setup.schemas.ts'

const YesNo = Type.Boolean()
const optional = Type.Optional

export const triggers = ['HEALTH', 'TERM', 'HEALTH_AND_TERM'] as const
export const Path = OneOf(['ROUTER', 'VENUE', 'ATOMIC'], {
  description:
    'Where seized collateral goes: to the router, for a sale in steps; to the venue, for an auction; or at once to the sale recipient.',
})

/** Everything between a loan that may be realized and the cash for it. */
export const readinessFields = {
  isConfigured: Type.Boolean({ description: 'routerAuthorized, routerTokenEligible and operatorRoleReady.' }),
  routerAuthorized: Type.Boolean({ description: 'The router accepts collateral of this market.' }),
  routerTokenEligible: Type.Boolean({
    description:
      'The collateral token lets the router hold it. True where the token has no register: unknown, not a pass.',
  }),
  operatorRoleReady: Type.Boolean({
    description: 'The registered wallet holds OPERATOR_ROLE on the router; false when another operator was nominated.',
  }),
  routerAddress: LowercaseAddress,
  routerTokenRequirement: AdmissionRequirement,
  operatorAddress: Nullable(LowercaseAddress),
  liquidatorRoleReady: YesNo,
  signerAddress: Nullable(LowercaseAddress),
  saleRecipient: Nullable(LowercaseAddress),
  marketPaused: YesNo,
  dutchAuctionEnabled: YesNo,
  auctionVenue: Nullable(LowercaseAddress),
  auctionVenueAdmitted: Nullable(YesNo),
  auctionVenueRequirement: Nullable(AdmissionRequirement),
  auctionVenueOnRouter: Nullable(YesNo),
  atomicMode: YesNo,
  priceStale: YesNo,
  priceAge: Type.Integer({ description: 'Seconds.' }),
  seizureConfigured: Type.Boolean({ description: 'Every gate up to the seizure is open, the role included.' }),
  canSeizeNow: Type.Boolean({ description: 'seizureConfigured, and the price is fresh.' }),
  canRealizeNow: Type.Boolean({ description: 'isConfigured, and the price is fresh.' }),
} as const

export const Readiness = Data({
  ...readinessFields,
  collateralTransferChecked: optional(YesNo),
  collateralTransferAllowed: optional(Nullable(YesNo)),
  collateralTransferCode: optional(
    Nullable(
      Type.Integer({
        description:
          '0 ok, 1 sender unverified, 2 receiver unverified, 3 sender frozen, 4 receiver frozen, 5 compliance, 6 token paused, 7 unfrozen balance short.',
      }),
    ),
  ),
  collateralTransferRule: optional(
    Nullable(Type.String({ description: 'What the token calls the rule that refuses, where it says so.' })),
  ),
  collateralTransferAmount: optional(Nullable(DecimalString)),
})

/** The loan that a refusal is about. */
export const RefusedLoan = Data({
  loanId: CountedId,
  active: YesNo,
  healthFactor: Nullable(DecimalString),
  healthFactorThreshold: Type.Literal('1'),
  borrower: LowercaseAddress,
  term: Nullable(LoanTerm),
  auction: optional(Nullable(Auction)),
})

/** What the seizure would do if it were mined in the block that was read. */
export const Forecast = Data({
  trigger: OneOf(triggers),
  path: Path,
  claim: DecimalString,
  penaltyBps: Bps,
  collateralTaken: DecimalString,
  collateralReturned: DecimalString,
  closesLoan: YesNo,
  writtenOffAtSeizure: {
    ...DecimalString,
    description: 'Debt that no collateral is left for; the insurance fund is asked for it first.',
  },
  price: DecimalString,
  floorValue: { ...DecimalString, description: 'What the collateral is worth at the floor price of the market.' },
  expectedPayment: Nullable(DecimalString),
  atomicFault: Nullable(
    Type.String({
      description:
        'Where the router sells at once: why its buyer does not buy, so that the collateral waits in the router. null: it buys, or nothing is sold at once.',
    }),
  ),
})

export const seizureSurplus = Data({ returned: DecimalString, escrowed: DecimalString })
export const seizureReserve = Data({
  seizureCovered: DecimalString,
  settlementCovered: DecimalString,
  reimbursed: DecimalString,
})
export const AtomicSale = Data({
  collateralAmount: DecimalString,
  collateralAmountRaw: IntegerString,
  payment: DecimalString,
  paymentRaw: IntegerString,
  price: DecimalString,
  priceRaw: IntegerString,
})

const OnChainData = Data({
  routerAddress: LowercaseAddress,
  token: LowercaseAddress,
  collateralAmount: DecimalString,
  collateralRemaining: DecimalString,
  debtOwed: DecimalString,
  proceedsCollected: DecimalString,
  borrower: LowercaseAddress,
  lendingMarket: LowercaseAddress,
  timestamp: UnixSeconds,
  settled: YesNo,
  marketLiquidationId: CountedId,
})

const rowFields = {
  id: Type.String(),
  liquidationId: Nullable(
    Type.String({
      description:
        'The number on the router; `venue-{marketLiquidationId}` while only the venue holds it; null: no collateral, or our record has not come to that event yet.',
    }),
  ),
  marketLiquidationId: CountedId,
  marketId: Type.String(),
  marketAddress: LowercaseAddress,
  loanId: CountedId,
  borrower: Nullable(LowercaseAddress),
  tokenAddress: LowercaseAddress,
  collateralAmount: DecimalString,
  debtOwed: DecimalString,
  totalDebtAtSeizure: DecimalString,
  termRealization: YesNo,
  auctionId: Nullable(CountedId),
  realization: Nullable(Path),
  buyer: Nullable(LowercaseAddress),
  txHash: Type.String(),
  createdAt: Instant,
  updatedAt: Instant,
  usdcProceeds: Nullable(DecimalString),
  settledTxHash: Nullable(Type.String()),
  settledAt: Nullable(Instant),
  onChainData: Nullable(OnChainData),
  proceedsHeld: Nullable({ ...DecimalString, description: 'Auction cash that waits on the record of the market.' }),
  proceedsForwarded: { ...DecimalString, description: 'What auction fills brought in all.' },
  heldOnMarket: Nullable(YesNo),
  marketSettled: YesNo,
  recordedByThisInstance: YesNo,
} as const

export const PendingLiquidation = Data({ ...rowFields, status: Type.Literal('PENDING') })

export const SettledLiquidation = Data({
  ...rowFields,
  status: OneOf(['SETTLED', 'WRITTEN_OFF']),
  settledOn: Nullable(OneOf(['router', 'venue'])),
  routerAddress: LowercaseAddress,
  routerSettled: Nullable(YesNo),
  collateralRemaining: Nullable(DecimalString),
  proceedsCollected: Nullable(DecimalString),
  collateralStranded: Nullable(Type.Boolean({ description: 'Closed, with collateral still on the router.' })),
  reopenable: optional(YesNo),
  principalOwed: Nullable(DecimalString),
  writtenOffAtSeizure: DecimalString,
  seizureReserveCovered: DecimalString,
  shortfall: Nullable(DecimalString),
  reserveCovered: DecimalString,
})
