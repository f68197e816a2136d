import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, Hash, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  bidBuildErrors,
  confirmAuctionErrors,
  confirmOnVenueErrors,
  deliverBuildErrors,
  getAuctionErrors,
  listAuctionsErrors,
  loanAuctionErrors,
  settleBuildErrors,
  wireAuctionErrors,
} from './auctions.errors.ts'
import { Auction, ListedAuction, settledByBid } from './auctions.schemas.ts'
import { Ordinal } from './extensions.schemas.ts'
import { marketErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import { builtA, IntegerString, Simulation, signerBlock, verifiedBy } from './lending.schemas.ts'
import { builtSteps, CountedId } from './positions.schemas.ts'
import { AdmissionRequirement } from './setup.schemas.ts'

const optional = Type.Optional
const YesNo = Nullable(Type.Boolean())
const wiringSteps = [
  'setAuctionModule',
  'authorizeModuleOnRouter',
  'authorizeVenueOnToken',
  'verifyVenueAsHolder',
] as const

export const getAuctionModule = defineOperation({
  ...lendingPath('/markets/{marketId}/auction-module'),
  id: 'getAuctionModule',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the auction module of a market',
  description: 'Read live from the chain. What cannot be read is null here, and `readFailed` says so.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: {
    read: {
      data: Data({
        auctionModule: Nullable(LowercaseAddress),
        wired: Nullable(Type.Boolean({ description: 'null: the market could not be read.' })),
        readFailed: Type.Boolean(),
        useDutchAuction: Nullable(
          Type.Boolean({ description: 'While on, a liquidation seizes into the venue and opens an auction.' }),
        ),
        routerAuthorized: Nullable(
          Type.Boolean({
            description:
              'The router accepts the venue; without it the settlement of an expired auction reverts. null without a venue.',
          }),
        ),
        fundAuthorized: Nullable(
          Type.Boolean({
            description: 'The insurance fund lists the venue; no effect on auctions. null without a venue.',
          }),
        ),
        tokenAdmitted: optional(YesNo),
        tokenAdmissionRequirement: optional(AdmissionRequirement),
        tokenAdmissionRegistry: optional(LowercaseAddress),
        realizationReady: optional(
          Type.Boolean({
            description:
              'All three are true. No leg of this interface authorizes the fund: judge by tokenAdmitted and routerAuthorized.',
          }),
        ),
      }),
      errors: marketErrors,
    },
  },
})

const Creation = Data({
  action: Type.Literal('SIGN_TRANSACTION'),
  transaction: Data({ data: Type.String({ description: 'Creation code and constructor arguments; it has no `to`.' }) }),
  value: Type.Literal('0'),
  chainId: Type.Integer(),
  functionName: Type.Literal('deploySecurityAuctionModule', { description: 'A label, not a function.' }),
  contractCreation: Type.Literal(true),
  simulation: Simulation,
  description: Type.String(),
  next: Type.String(),
})

const Wiring = Data({
  action: Type.Literal('SIGN_TRANSACTIONS'),
  functionName: Type.Literal('wireAuctionModule', { description: 'A label, not a function.' }),
  moduleAddress: LowercaseAddress,
  steps: Type.Array(
    Data({
      key: OneOf(wiringSteps),
      to: LowercaseAddress,
      data: Type.String(),
      description: Type.String(),
      value: Type.Literal('0'),
      chainId: Type.Integer(),
      ...signerBlock,
      simulation: Simulation,
    }),
    { description: 'Only what is missing, in the order to sign it.' },
  ),
  tokenAdmission: Data({
    admitted: YesNo,
    requirement: AdmissionRequirement,
    identityRegistry: Nullable(LowercaseAddress),
    blocked: Nullable(Data({ code: Type.String(), message: Type.String() })),
  }),
  reserve: Data({
    fundAddress: LowercaseAddress,
    venueAuthorizedOnFund: YesNo,
    venueDrawsReserve: Type.Literal(false),
    note: Type.String(),
  }),
  afterWiring: Type.String(),
  confirmWith: Data({
    endpoint: Type.String(),
    field: Type.Literal('txHash'),
    body: Data({ moduleAddress: LowercaseAddress, txHash: Type.Null() }),
  }),
})

const venue = { moduleAddress: optional(Type.String()) } as const

export const wireAuctionModule = defineOperation({
  ...lendingPath('/markets/{marketId}/auction-module'),
  id: 'wireAuctionModule',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Wire an auction module',
  description:
    'Without `moduleAddress`: the creation of a venue for this market. With it: the calls that are missing before the venue works. With `txHash`: confirms one of the calls of market or router.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { body: Body(venue), data: Type.Union([Creation, Wiring]), errors: wireAuctionErrors },
    confirm: {
      body: withHash(venue),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        moduleAddress: LowercaseAddress,
        confirmed: Type.Array(OneOf(['setAuctionModule', 'authorizeModuleOnRouter'])),
      }),
      errors: confirmAuctionErrors,
    },
  },
})

const inPath = Type.String({ pattern: '^0*[1-9][0-9]{0,19}$', maxLength: 40 })

export const listAuctions = defineOperation({
  ...lendingPath('/liquidations/{marketId}/auctions', 'v1'),
  id: 'listAuctions',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List auctions',
  description: 'The open auctions of the market, running or past their end, oldest first. Empty without a venue.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'AUCTION_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({ venueAddress: Nullable(LowercaseAddress), auctions: Type.Array(ListedAuction) }),
      errors: listAuctionsErrors,
    },
  },
})

export const getAuction = defineOperation({
  ...lendingPath('/liquidations/{marketId}/auctions/{auctionId}', 'v1'),
  id: 'getAuction',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get an auction',
  description: 'One auction of the venue that the market has now, open or closed.',
  params: Type.Object({ ...MarketPath.properties, auctionId: Type.String() }),
  fieldCodes: marketIdCode,
  unreadable: 'AUCTION_STATE_UNAVAILABLE',
  legs: { read: { data: Auction, errors: getAuctionErrors } },
})

export const getLoanAuction = defineOperation({
  ...lendingPath('/liquidations/{marketId}/loan-auction/{loanId}', 'v1'),
  id: 'getLoanAuction',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the auction of a loan',
  description: 'The open auction of collateral of this loan, if there is one.',
  params: Type.Object({ ...MarketPath.properties, loanId: inPath }),
  fieldCodes: { ...marketIdCode, loanId: 'INVALID_LOAN_ID' },
  unreadable: 'AUCTION_STATE_UNAVAILABLE',
  legs: { read: { data: Data({ loanId: CountedId, auction: Nullable(Auction) }), errors: loanAuctionErrors } },
})

const bid = {
  collateralAmount: Type.String({
    description: 'How much to buy, at most; required to build. No more than is left is bought.',
  }),
  maxCost: optional(
    Type.String({ description: 'The most to pay, in units of the borrow asset. Default: what it costs now.' }),
  ),
  bidderAddress: optional({ ...Address, description: 'Who will sign, for the simulation.' }),
} as const

export const bidOnAuction = defineOperation({
  ...lendingPath('/liquidations/{marketId}/bid-on-auction', 'v1'),
  id: 'bidOnAuction',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Bid on an auction',
  description:
    'Builds an approval for the venue and the bid, which buys at the price of the second in which it is mined. With `txHash`, the hash of the bid: confirms it.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'AUCTION_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body({ auctionId: Ordinal, ...bid }),
      data: Data({
        auctionId: CountedId,
        ...builtSteps,
        functionName: Type.Literal('bidOnAuction'),
        venueAddress: LowercaseAddress,
        collateralAmount: DecimalString,
        pricePerUnit: DecimalString,
        estimatedCost: DecimalString,
        maxCost: DecimalString,
        borrowAssetSymbol: Type.String(),
        closesAuction: Type.Boolean({ description: 'It takes all that is left, and settles the liquidation.' }),
        gasLimit: IntegerString,
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ auctionId: CountedId, txHash: Type.Null() }),
        }),
      }),
      errors: bidBuildErrors,
    },
    confirm: {
      body: Body({ auctionId: Ordinal, ...withHash(bid).properties }),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        auctionId: CountedId,
        venueAddress: LowercaseAddress,
        collateralPurchased: DecimalString,
        amountPaid: DecimalString,
        pricePerUnit: DecimalString,
        bidder: LowercaseAddress,
        auctionSettled: Type.Boolean(),
        ...Type.Partial(Data(settledByBid)).properties,
      }),
      errors: confirmOnVenueErrors,
    },
  },
})

export const settleExpiredAuction = defineOperation({
  ...lendingPath('/liquidations/{marketId}/settle-expired-auction', 'v1'),
  id: 'settleExpiredAuction',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Settle an expired auction',
  description:
    'Builds the call that sends what an auction did not sell to the router. Anybody may sign; while the market is paused only its liquidators. With `txHash`: confirms it.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'AUCTION_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body({ auctionId: Ordinal, signerAddress: optional(Address) }),
      data: Data({
        success: Type.Literal(true),
        auctionId: CountedId,
        ...builtA,
        venueAddress: LowercaseAddress,
        collateralRemaining: DecimalString,
        signerAddress: Nullable(LowercaseAddress),
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ auctionId: CountedId, txHash: Type.Null() }),
        }),
      }),
      errors: settleBuildErrors,
    },
    confirm: {
      body: Body({ auctionId: Ordinal, signerAddress: optional(Address), txHash: Hash }),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        auctionId: CountedId,
        venueAddress: LowercaseAddress,
        liquidationId: Nullable(CountedId),
        marketLiquidationId: Nullable(CountedId),
        collateralAmount: DecimalString,
        deliverWith: Type.Optional(
          Type.String({
            description:
              'Where the rest is fetched once they agree: token or router refused it, and the venue kept it.',
          }),
        ),
      }),
      errors: confirmOnVenueErrors,
    },
  },
})

const auctionNumber = { auctionId: Type.String({ pattern: '^0*[1-9][0-9]{0,19}$', maxLength: 40 }) } as const

export const deliverUnsold = defineOperation({
  ...lendingPath('/liquidations/{marketId}/deliver-unsold', 'v1'),
  id: 'deliverUnsold',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Deliver what an auction did not sell',
  description:
    'When an auction was settled, token or router refused what was left of the collateral, and the venue kept it. Builds the call that sends it to the router. Anybody may sign it. With `txHash`: confirms it.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'AUCTION_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body(auctionNumber),
      data: Data({
        ...builtA,
        description: Type.String(),
        auctionId: CountedId,
        venueAddress: LowercaseAddress,
        collateralRemaining: DecimalString,
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ auctionId: Type.String(), txHash: Type.Null() }),
        }),
      }),
      errors: deliverBuildErrors,
    },
    confirm: {
      body: Body({ ...auctionNumber, txHash: Hash }),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        auctionId: CountedId,
        venueAddress: LowercaseAddress,
        liquidationId: CountedId,
        marketLiquidationId: CountedId,
        collateralAmount: DecimalString,
      }),
      errors: confirmOnVenueErrors,
    },
  },
})
