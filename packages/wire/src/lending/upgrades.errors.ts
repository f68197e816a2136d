import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { LowercaseAddress } from '../primitives.ts'
import {
  deployedMarketErrors,
  detailsObject,
  factoryErrors,
  pendingCuratorErrors,
  transactionErrors,
} from './lending.errors.ts'
import { FeeModel } from './upgrades.schemas.ts'

const plainValidation = {
  VALIDATION_ERROR: { status: 400, message: 'A field is not of the form this route takes.' },
} as const

const ownerPending = Type.Object({
  owner: LowercaseAddress,
  pendingOwner: Type.Optional(LowercaseAddress),
})
const failed = (what: string) =>
  ({ status: 400, message: `The upgrade of the ${what} could not be prepared.` }) as const
const unreadable = (what: string) =>
  ({ status: 503, retry: true, message: `${what} could not be read. Try again.` }) as const

export const upgradeBuildErrors = {
  ...plainValidation,
  ...deployedMarketErrors,
  ...factoryErrors,
  ...pendingCuratorErrors,
  ALREADY_UPGRADED: { status: 409, message: 'The proxy runs the implementation that the factory serves already.' },
  MARKET_NOT_IN_FACTORY: { status: 409, message: 'The factory of this deployment did not deploy the market.' },
  FACTORY_UNREADABLE: unreadable('The record of the factory'),
  FEE_MODEL_IMPACT_UNACKNOWLEDGED: {
    status: 409,
    message:
      'The upgrade moves the market onto fixed fee shares while providers hold shares or loans are open. Acknowledge it.',
    extra: detailsObject({ feeModel: FeeModel }),
  },
  RATE_MODEL_OWNER_PENDING: {
    status: 409,
    message: 'The market or the factory still owns the rate model: its nominee has to accept the ownership first.',
    extra: ownerPending,
  },
  INSURANCE_FUND_OWNER_PENDING: {
    status: 409,
    message: 'The market or the factory still owns the insurance fund: its nominee has to accept the ownership first.',
    extra: ownerPending,
  },
  NO_TARGET_IMPL: { status: 400, message: 'The factory serves no implementation for this proxy.' },
  TARGET_IMPL_NO_CODE: { status: 400, message: 'There is no code at the implementation that the factory serves.' },
  TARGET_IMPL_NOT_INSTRUMENTED: {
    status: 400,
    message: 'The implementation lacks the snapshot function of the history series.',
  },
  TARGET_IMPL_NOT_STAMPING: {
    status: 400,
    message: 'The implementation does not stamp loan terms or hold venue proceeds.',
  },
  TARGET_IMPL_NOT_CEILINGED: { status: 400, message: 'The implementation lacks the ceiling of fixed rates.' },
  TARGET_IMPL_NOT_TOPPABLE: { status: 400, message: 'The implementation lacks the top-up that anybody may make.' },
  TARGET_IMPL_NOT_ROTATABLE: { status: 400, message: 'The implementation lacks the rotation of the sale recipient.' },
  MARKET_STATE_UNAVAILABLE: unreadable('Implementation, registers, liquidity access or positions of the market'),
  MODEL_UNRESOLVED: unreadable('Which rate model the market uses'),
  MODEL_STATE_UNAVAILABLE: unreadable('The implementation of the rate model'),
  FUND_UNRESOLVED: unreadable('Which insurance fund the market uses'),
  FUND_STATE_UNAVAILABLE: unreadable('The implementation of the insurance fund'),
  ROUTER_UNRESOLVED: {
    status: 400,
    message: 'No router is on record for the market, and the market could not be asked.',
  },
  MARKET_UPGRADE_FAILED: failed('market'),
  MODEL_UPGRADE_FAILED: failed('rate model'),
  FUND_UPGRADE_FAILED: failed('insurance fund'),
  ROUTER_UPGRADE_FAILED: failed('router'),
} as const satisfies ErrorTable

export const upgradeConfirmErrors = {
  ...plainValidation,
  ...deployedMarketErrors,
  ...transactionErrors,
  MODEL_UNRESOLVED: { status: 409, message: 'The market has no rate model.' },
  NO_INSURANCE_FUND: { status: 409, message: 'The market has no insurance fund.' },
  ROUTER_UNRESOLVED: { ...unreadable('No router is on record for the market, and the market') },
} as const satisfies ErrorTable
