import { type TSchema, Type } from 'typebox'
import { LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { DecimalString } from './lending.schemas.ts'

/** What can be set up with a call each, by whoever holds the authority for it. */
export const configureActions = [
  'grantAgentRoleToAdapter',
  'authorizeAdapterOnToken',
  'verifyAdapterAsHolder',
  'authorizeRouterOnToken',
  'verifyRouterAsHolder',
  'authorizeVenueOnToken',
  'verifyVenueAsHolder',
  'authorizeRelayerOnOracle',
  'authorizeOnRouter',
  'setInsuranceFund',
  'grantLiquidatorRole',
] as const
export type ConfigureAction = (typeof configureActions)[number]

const stepKeys = [
  'adoptCurator',
  'grantAdapterAgentRole',
  'authorizeAdapterOnToken',
  'verifyAdapterAsHolder',
  'authorizeRouterOnToken',
  'verifyRouterOnRegistry',
  'verifyRouterAsHolder',
  'authorizeVenueOnToken',
  'verifyVenueAsHolder',
  'authorizeOracleSigner',
  'grantLiquidatorRole',
] as const
export type SetupStepKey = (typeof stepKeys)[number]

const requiredRoles = [
  'NOMINATED_CANDIDATE',
  'TOKEN_AGENT_ADMIN',
  'TOKEN_COMPLIANCE_ADMIN',
  'IDENTITY_REGISTRY_AGENT',
  'ORACLE_OWNER',
  'DEFAULT_ADMIN_ROLE',
] as const

export const SetupStep = Data({
  key: OneOf(stepKeys),
  title: Type.String(),
  done: Type.Boolean(),
  requiredRole: OneOf(requiredRoles),
  target: Nullable(LowercaseAddress),
  subject: Nullable(LowercaseAddress),
  blocked: Type.Optional(
    Type.Boolean({
      description: 'On the freeze adapter step only; true: the token cannot support the freeze mode.',
    }),
  ),
  delegated: Type.Boolean({ description: 'Not done for a wallet of yours, but another one is there to do the work.' }),
  candidates: Type.Optional(
    Type.Array(LowercaseAddress, { description: 'On adoptCurator only: who has been nominated.' }),
  ),
  blockedCode: Nullable(Type.String({ description: 'Why no call can be built for the step as things are.' })),
  blockedReason: Nullable(Type.String()),
})

/** An object with some of the names of a list. */
const by = <S extends TSchema>(what: string, schema: S) =>
  Type.Record(Type.String(), schema, { description: `Keyed by ${what}.` })

/** What is left to sign, by the name of the step; the router's registration always under `verifyRouterAsHolder`. */
export const SetupCalldata = by('step', Data({ to: LowercaseAddress, data: Type.String(), description: Type.String() }))

export const ConfigurationCalldata = by(
  'action',
  Data({
    to: LowercaseAddress,
    data: Type.String(),
    value: Type.Literal('0'),
    chainId: Type.Integer(),
    description: Type.String(),
    requiredAuthority: Type.String(),
    heldByThisInstance: Nullable(Type.Boolean()),
    note: Nullable(Type.String()),
  }),
)

export const BlockedSteps = by('action', Data({ code: Type.String(), message: Type.String() }))

const admissionRequirements = [
  'adapter_must_be_verified_holder',
  'adapter_must_be_authorized_contract',
  'none_required',
  'holder_status_unreadable',
  'unknown',
] as const

export const AdmissionRequirement = OneOf(admissionRequirements)

export const CollateralAuthStatus = Data({
  mode: OneOf(['FREEZE', 'CUSTODY']),
  adapterAuthorized: Nullable(Type.Boolean()),
  requirement: OneOf(['adapter_must_hold_agent_role', 'token_not_freeze_compatible', ...admissionRequirements]),
  interfaceSupported: Type.Optional(Type.Boolean({ description: 'FREEZE: the token can freeze part of a balance.' })),
  authorizedVia: Type.Optional(
    Nullable(OneOf(['token_authorized_contract', 'identity_registry', 'unrestricted_token'])),
  ),
  identityRegistry: Nullable(LowercaseAddress),
  note: Nullable(Type.String()),
})

/** What `configure` and its confirmation come down to. */
export const configurationVerdict = {
  fullyConfigured: Type.Boolean({
    description:
      'There is a lender of record, everything is wired and admitted, and the wallet of YOUR instance prices and liquidates.',
  }),
  collateralAuthStatus: CollateralAuthStatus,
  routerHolderAuthorized: Nullable(Type.Boolean()),
  oracleSignerAuthorized: Type.Boolean(),
  liquidatorRoleGranted: Type.Boolean(),
  pendingCurator: Type.Boolean(),
} as const

export const configurationStatus = {
  ...configurationVerdict,
  liquidationContract: LowercaseAddress,
  insuranceFund: LowercaseAddress,
  adapter: LowercaseAddress,
  liquidationConfigured: Type.Boolean(),
  insuranceFundConfigured: Type.Boolean(),
  adapterConfigured: Type.Boolean(),
  routerAuthorized: Type.Boolean(),
  readFailed: Type.Optional(Type.Literal(true, { description: 'Something of the token could not be read.' })),
  auctionVenue: Nullable(LowercaseAddress),
  auctionVenueAdmitted: Nullable(Type.Boolean()),
  auctionVenueAdmissionRequirement: Nullable(AdmissionRequirement),
  relayerAddress: Nullable(LowercaseAddress),
  pendingCuratorMessage: Nullable(Type.String()),
  liquidationRouterAddress: LowercaseAddress,
  waitingForCurator: Type.Array(OneOf(configureActions)),
  configurationCalldata: ConfigurationCalldata,
  blockedSteps: BlockedSteps,
} as const

const Whole = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^(0|[1-9][0-9]{0,9})$' })], {
  description: 'A whole number, as such or as a string.',
})
const Decimal = Type.String({ description: 'Decimal number in token units, no finer than the token.' })

/** As it is sent: what `getConfig` answered fits. */
export const ConfigBody = Data({
  collateralFactor: Whole,
  liquidationThreshold: Whole,
  liquidationPenalty: Whole,
  protocolFeeRate: Whole,
  minBorrowAmount: Decimal,
  closeFactor: Whole,
  maxTotalCollateral: Decimal,
  maxUserCollateral: Decimal,
  useDutchAuction: Type.Boolean(),
  auctionDuration: Whole,
  auctionStartPremium: Whole,
  auctionMinPremium: Whole,
})

const Digits = Type.String({ pattern: '^[0-9]+$' })

/** As it is answered. */
export const ConfigData = Data({
  collateralFactor: Digits,
  liquidationThreshold: Digits,
  liquidationPenalty: Digits,
  protocolFeeRate: Digits,
  minBorrowAmount: DecimalString,
  closeFactor: Digits,
  maxTotalCollateral: DecimalString,
  maxUserCollateral: DecimalString,
  useDutchAuction: Type.Boolean(),
  auctionDuration: Digits,
  auctionStartPremium: Digits,
  auctionMinPremium: Digits,
})
