import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Hash, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { confirmAuctionErrors, wireAuctionErrors } from './auctions.errors.ts'
import { marketErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { Simulation, signerBlock, verifiedBy } from './lending.schemas.ts'
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

export const wireAuctionModule = defineOperation({
  ...lendingPath('/markets/{marketId}/auction-module'),
  id: 'wireAuctionModule',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Wire an auction module',
  description:
    'Without `moduleAddress`: the creation of a venue for this market. With it: the calls that are missing before the venue works. With `txHash`: confirms one of the calls of market or router.',
  params: MarketPath,
  body: Body({ moduleAddress: optional(Type.String()), txHash: optional(Hash) }),
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { data: Type.Union([Creation, Wiring]), errors: wireAuctionErrors },
    confirm: {
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
