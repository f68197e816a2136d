import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Hash, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors, marketErrors, unreadableErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import {
  builtA,
  ConfirmWith,
  collateralModes,
  priceSources,
  realizationModes,
  Simulation,
  signerBlock,
  verifiedBy,
} from './lending.schemas.ts'
import {
  configBuildErrors,
  configureErrors,
  confirmConfigurationErrors,
  pauseBuildErrors,
  settingConfirmErrors,
} from './setup.errors.ts'
import {
  BlockedSteps,
  ConfigBody,
  ConfigData,
  ConfigurationCalldata,
  configurationStatus,
  configurationVerdict,
  configureActions,
  SetupCalldata,
  SetupStep,
} from './setup.schemas.ts'

const optional = Type.Optional
const flag = optional(Type.Literal(true))

export const getSetupSteps = defineOperation({
  ...lendingPath('/markets/{marketId}/setup-steps', 'v1'),
  id: 'getSetupSteps',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get setup steps',
  description:
    'What has to be signed, by whom, before the market works; read from the chain. The steps of the token are for whoever administers it: a third-party security has its own issuer or transfer agent.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        complete: Type.Boolean({ description: 'Adopted, and every step is done or delegated.' }),
        mode: OneOf(collateralModes),
        priceSource: OneOf(priceSources),
        collateralAgent: Nullable(LowercaseAddress),
        liquidationRouterAddress: LowercaseAddress,
        relayerAddress: Nullable(
          Type.String({
            description: 'The primary verified wallet of your instance, else the oldest. null: nobody can liquidate.',
          }),
        ),
        steps: Type.Array(SetupStep),
        calldata: SetupCalldata,
        curator: Nullable(LowercaseAddress),
        seekingCurator: Nullable(Type.Boolean()),
        realizationMode: Nullable(OneOf(realizationModes)),
        saleRecipient: Nullable(LowercaseAddress),
        operable: Type.Boolean({
          description: 'Adopted, and the token lets the market take and deliver collateral: loans can be opened.',
        }),
        deploymentReadable: Type.Boolean({ description: 'False: the factory did not answer.' }),
        governance: Data({
          marketAdminHeldByInstance: Nullable(Type.Boolean()),
          oracleOwnedByInstance: Type.Boolean(),
          oracleOwner: LowercaseAddress,
        }),
      }),
      errors: { ...deployedMarketErrors, ...unreadableErrors },
    },
  },
})

export const getConfigurationStatus = defineOperation({
  ...lendingPath('/markets/{marketId}/configuration-status'),
  id: 'getConfigurationStatus',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get configuration status',
  description: 'The same state as a checklist for the calling instance, with the calls that are still missing.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: { read: { data: Data(configurationStatus), errors: { ...deployedMarketErrors, ...unreadableErrors } } },
})

export const configureMarket = defineOperation({
  ...lendingPath('/markets/{marketId}/configure'),
  id: 'configureMarket',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Configure a market',
  description:
    'Builds the call for one action, or without `action` lists every call that is missing. Names of setup steps are accepted as actions too.',
  params: MarketPath,
  body: Body({
    action: optional(Type.String({ minLength: 1, maxLength: 60 })),
    identityAddress: optional(
      Type.String({
        description: 'Identity contract to register a holder with; needed where the register asks claims.',
      }),
    ),
    country: optional(Type.Integer({ minimum: 0, maximum: 65_535, description: 'ISO 3166-1 numeric; default 0.' })),
  }),
  fieldCodes: { ...marketIdCode, country: 'INVALID_COUNTRY', identityAddress: 'INVALID_IDENTITY_ADDRESS' },
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: {
      data: Data({
        action: optional(OneOf(configureActions)),
        requiresUserAction: Type.Boolean(),
        configurationCalldata: ConfigurationCalldata,
        message: Type.String(),
        subject: optional(Nullable(LowercaseAddress)),
        simulation: optional(Simulation),
        blockedSteps: optional(BlockedSteps),
        waitingForCurator: optional(Type.Array(OneOf(configureActions))),
        pendingCurator: optional(Type.Boolean()),
        pendingCuratorMessage: optional(Nullable(Type.String())),
        alreadyConfigured: flag,
        alreadyAuthorized: flag,
        alreadyGranted: flag,
        alreadyVerified: flag,
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ txHash: Type.Null(), action: Nullable(OneOf(configureActions)) }),
        }),
      }),
      errors: configureErrors,
    },
  },
})

export const confirmConfiguration = defineOperation({
  ...lendingPath('/markets/{marketId}/confirm-configuration'),
  id: 'confirmConfiguration',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Confirm a configuration',
  description:
    'Proves that a transaction did what the action is for, and answers the state after it. Without `action` it finds out which one it was; without `txHash` it only reads.',
  params: MarketPath,
  body: Body({ txHash: optional(Hash), action: optional(Type.String({ minLength: 1, maxLength: 60 })) }),
  fieldCodes: marketIdCode,
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    confirm: {
      data: Data({
        ...configurationVerdict,
        configurationStatus: Data(configurationStatus),
        action: optional(OneOf(configureActions)),
        txHash: optional(Type.String()),
        ...verifiedBy,
      }),
      errors: confirmConfigurationErrors,
    },
  },
})

export const getConfig = defineOperation({
  ...lendingPath('/markets/{marketId}/config'),
  id: 'getConfig',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the configuration of a market',
  description: 'The twelve risk and auction settings as they stand on chain. Shares in bps, durations in seconds.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: { read: { data: ConfigData, errors: { ...deployedMarketErrors, ...unreadableErrors } } },
})

export const setConfig = defineOperation({
  ...lendingPath('/markets/{marketId}/config'),
  id: 'setConfig',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Set the configuration of a market',
  description:
    'Builds `setConfig` with all twelve settings. With `txHash`: confirms it; a `config` sent along is then a cross-check.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body({ config: ConfigBody }),
      data: Data({ ...builtA, ...signerBlock, config: ConfigData, confirmWith: ConfirmWith }),
      errors: configBuildErrors,
    },
    confirm: {
      body: withHash({ config: ConfigBody }),
      data: Data({ txHash: Type.String(), ...verifiedBy, signedBy: LowercaseAddress, config: ConfigData }),
      errors: settingConfirmErrors,
    },
  },
})

const pauseLegs = <const P extends boolean>(paused: P) => ({
  build: Data({ ...builtA, ...signerBlock, confirmWith: ConfirmWith }),
  confirm: Data({
    txHash: Type.String(),
    ...verifiedBy,
    signedBy: LowercaseAddress,
    paused: Type.Literal(paused),
  }),
})

export const pauseMarket = defineOperation({
  ...lendingPath('/markets/{marketId}/pause'),
  id: 'pauseMarket',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Pause a market',
  description:
    'Stops new deposits, loans and draws, and the clock of auctions. Repayment and withdrawal of liquidity go on.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body({}),
      data: pauseLegs(true).build,
      errors: { ...pauseBuildErrors, ALREADY_PAUSED: { status: 409, message: 'The market is paused already.' } },
    },
    confirm: { body: Body({ txHash: Hash }), data: pauseLegs(true).confirm, errors: settingConfirmErrors },
  },
})

export const unpauseMarket = defineOperation({
  ...lendingPath('/markets/{marketId}/unpause'),
  id: 'unpauseMarket',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Unpause a market',
  description: 'Lets new money move again.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body({}),
      data: pauseLegs(false).build,
      errors: { ...pauseBuildErrors, NOT_PAUSED: { status: 409, message: 'The market is not paused.' } },
    },
    confirm: { body: Body({ txHash: Hash }), data: pauseLegs(false).confirm, errors: settingConfirmErrors },
  },
})

export const archiveMarket = defineOperation({
  ...lendingPath('/markets/{marketId}/archive'),
  id: 'archiveMarket',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Archive a market record',
  description:
    'Takes the record of your instance out of the list and frees its place. On chain nothing changes, and the record can still be read by its id.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: {
    write: {
      data: Data({ marketId: Type.String(), active: Type.Literal(false), archivedAt: Instant }),
      errors: marketErrors,
    },
  },
})
