import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { DecimalString, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors, unreadableErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import { Bps, rateModes, UnixSeconds } from './lending.schemas.ts'
import {
  maxFixedRateErrors,
  modelErrors,
  rateModeErrors,
  settingBuildErrors,
  settingConfirmErrors,
  termConfigErrors,
} from './rates.errors.ts'
import {
  ExitHorizon,
  SettingConfirmed,
  settingBuilt,
  TermFloorExposure,
  TermWarning,
  termReach,
} from './rates.schemas.ts'

const optional = Type.Optional
const givenRate = (minimum: number) => Type.Integer({ minimum, maximum: 50_000, description: 'bps a year.' })
const rate = (minimum: number) => optional(givenRate(minimum))
const confirmsItself = 'With `txHash`: confirms it and reads the offering again; other fields are then ignored.'
const onMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const read = { ...onMarket, method: 'GET', scope: 'lending:read' } as const
const write = { ...onMarket, method: 'POST', scope: 'lending:write', unreadable: 'CHAIN_UNAVAILABLE' } as const
const confirm = { data: SettingConfirmed, errors: settingConfirmErrors } as const

const newMode = {
  rateMode: OneOf(rateModes, { description: 'Required to build.' }),
  rateFloorBps: rate(0),
  rateCapBps: rate(1),
  fixedRateBps: rate(1),
} as const
const newCeiling = { maxFixedRateBps: givenRate(1) } as const
const newTerms = {
  maxLoanDurationDays: Type.Integer({
    minimum: 0,
    maximum: 3650,
    description: 'Required to build; 0: loans have no term.',
  }),
  terminalDueDate: optional(Type.Integer({ minimum: 1, description: 'Unix seconds.' })),
  termGracePeriodDays: optional(Type.Integer({ minimum: 1, maximum: 30 })),
  termPenaltyBps: rate(0),
} as const
const newReserve = {
  reserveRatioBps: Type.Integer({ minimum: 0, maximum: 5_000, description: 'Required to build.' }),
} as const

export const getRateMode = defineOperation({
  ...lendingPath('/markets/{marketId}/rate-mode'),
  ...read,
  id: 'getRateMode',
  summary: 'Get the rate mode',
  description: 'How loans of the market are priced, and who may change it. What could not be read is null.',
  unreadable: 'MODEL_UNRESOLVED',
  legs: {
    read: {
      data: Data({
        interestModelAddress: LowercaseAddress,
        rateMode: OneOf(rateModes),
        rateFloorBps: Bps,
        rateCapBps: Bps,
        fixedStampRateBps: Bps,
        stampsFixedRate: Type.Boolean(),
        maxFixedRateBps: Nullable(Bps),
        creatorRateCeilingBps: Nullable(Bps),
        termsEnabled: Nullable(Type.Boolean({ description: 'New loans get a term, which FIXED needs.' })),
        modelOwner: Nullable(LowercaseAddress),
        handoverPending: optional(Type.Literal(true)),
        pendingOwner: optional(LowercaseAddress),
        curve: Nullable(
          Data({
            baseRateBps: Bps,
            multiplierBps: Bps,
            jumpMultiplierBps: Type.Integer(),
            kinkBps: Bps,
          }),
        ),
      }),
      errors: { ...deployedMarketErrors, ...modelErrors },
    },
  },
})

export const setRateMode = defineOperation({
  ...lendingPath('/markets/{marketId}/rate-mode'),
  ...write,
  id: 'setRateMode',
  summary: 'Set the rate mode',
  description: `Interest so far is settled at the old rate. The owner of the rate model signs. ${confirmsItself}`,
  legs: {
    build: { body: Body(newMode), data: Data(settingBuilt), errors: rateModeErrors },
    confirm: { body: withHash(newMode), ...confirm },
  },
})

export const setMaxFixedRate = defineOperation({
  ...lendingPath('/markets/{marketId}/max-fixed-rate'),
  ...write,
  id: 'setMaxFixedRate',
  summary: 'Lower the ceiling for stamped rates',
  description: `It only falls and is never cleared. The owner of the rate model signs. ${confirmsItself}`,
  legs: {
    build: { body: Body(newCeiling), data: Data(settingBuilt), errors: maxFixedRateErrors },
    confirm: { body: withHash(newCeiling), ...confirm },
  },
})

export const getTermConfig = defineOperation({
  ...lendingPath('/markets/{marketId}/term-config'),
  ...read,
  id: 'getTermConfig',
  summary: 'Get the term configuration',
  description: 'The terms that new loans get, until when the money that is out is bound, and what maturity may cost.',
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        ...termReach,
        termsEnabled: Type.Boolean(),
        maxLoanDurationSeconds: Type.Integer(),
        termGracePeriodSeconds: Type.Integer(),
        terminalDueDate: Nullable(UnixSeconds),
        marketDueFloor: Nullable(UnixSeconds),
        termPenaltyBps: Bps,
        allowExtension: Type.Boolean(),
        latestDueAt: Nullable(UnixSeconds),
        bookEmpty: Type.Boolean(),
        exitHorizon: ExitHorizon,
        closedToNewLoans: Type.Boolean(),
        closedReason: Nullable(OneOf(['PENDING_CURATOR', 'PAUSED', 'TERMINAL_DUE_DATE_PASSED'])),
        termFloorExposure: Nullable(TermFloorExposure),
      }),
      errors: { ...deployedMarketErrors, ...unreadableErrors },
    },
  },
})

export const setTermConfig = defineOperation({
  ...lendingPath('/markets/{marketId}/term-config'),
  ...write,
  id: 'setTermConfig',
  summary: 'Set the term configuration',
  description: `Replaces all of it: without terminalDueDate there is none, without termPenaltyBps it is 0; only a grace period that is left out stays. ISSUER_ROLE signs. ${confirmsItself}`,
  legs: {
    build: {
      body: Body(newTerms),
      data: Data({ ...settingBuilt, ...termReach, warnings: Type.Array(TermWarning) }),
      errors: termConfigErrors,
    },
    confirm: { body: withHash(newTerms), ...confirm },
  },
})

export const setReserveRatio = defineOperation({
  ...lendingPath('/markets/{marketId}/reserve-ratio'),
  ...write,
  id: 'setReserveRatio',
  summary: 'Set the reserve ratio',
  description: `The part of the pool that is not lent. It holds back borrowers, never providers. ISSUER_ROLE signs. ${confirmsItself}`,
  legs: {
    build: { body: Body(newReserve), data: Data(settingBuilt), errors: settingBuildErrors },
    confirm: { body: withHash(newReserve), ...confirm },
  },
})

export const getExitLiquidity = defineOperation({
  ...lendingPath('/markets/{marketId}/exit-liquidity'),
  ...read,
  id: 'getExitLiquidity',
  summary: 'Get exit liquidity',
  description: 'What providers could take out now, and when the rest comes back at the latest.',
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        reserveRatioBps: Bps,
        borrowableLiquidity: DecimalString,
        availableLiquidity: DecimalString,
        totalBorrowed: DecimalString,
        bookEmpty: Type.Boolean(),
        latestDueAt: Nullable(UnixSeconds),
        exitHorizon: ExitHorizon,
        disclosure: Type.String(),
      }),
      errors: { ...deployedMarketErrors, ...unreadableErrors },
    },
  },
})
