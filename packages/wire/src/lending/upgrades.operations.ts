import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors, factoryErrors, unreadableErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import { Simulation, signerBlock, verifiedBy } from './lending.schemas.ts'
import { upgradeBuildErrors, upgradeConfirmErrors } from './upgrades.errors.ts'
import { Call, FeeModel, Generation, Perimeter, ProxyStatus, upgradeTargets } from './upgrades.schemas.ts'

const optional = Type.Optional

export const getUpgradeStatus = defineOperation({
  ...lendingPath('/markets/{marketId}/upgrade'),
  id: 'getUpgradeStatus',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the upgrade status',
  description: 'What each proxy of the market runs and what the factory serves for it now.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        marketId: Type.String(),
        marketAddress: LowercaseAddress,
        inFactory: Nullable(Type.Boolean()),
        seekingCurator: Nullable(Type.Boolean()),
        feeShareGeneration: Nullable(Generation),
        stampsLoanTerms: Nullable(Type.Boolean()),
        instrumented: Nullable(Type.Boolean()),
        market: ProxyStatus,
        rateModel: ProxyStatus,
        router: ProxyStatus,
        insuranceFund: ProxyStatus,
        perimeter: Nullable(Perimeter),
        feeModel: Nullable(FeeModel),
        acknowledgementRequired: Nullable(Type.Boolean()),
      }),
      errors: { ...deployedMarketErrors, ...factoryErrors, ...unreadableErrors },
    },
  },
})

const upgrade = {
  target: optional(OneOf(upgradeTargets)),
  acknowledgeFeeModelImpact: optional(Type.Boolean({ description: '`market` only.' })),
} as const

export const upgradeMarket = defineOperation({
  ...lendingPath('/markets/{marketId}/upgrade'),
  id: 'upgradeMarket',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Upgrade a market',
  description:
    'Moves one proxy onto the implementation that the factory serves now; it is never named by the caller, and never a downgrade. With `txHash` and the same `target`: confirms it.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  plainValidation: true,
  unreadable: 'FACTORY_UNREADABLE',
  legs: {
    build: {
      body: Body(upgrade),
      data: Data({
        action: Type.Literal('SIGN_TRANSACTION'),
        target: OneOf(upgradeTargets),
        transaction: Data({ to: LowercaseAddress, data: Type.String() }),
        to: LowercaseAddress,
        data: Type.String(),
        value: Type.Literal('0'),
        chainId: Type.Integer(),
        functionName: optional(Type.Literal('upgradeToAndCall')),
        requiredRole: optional(Type.String()),
        requiredSigner: signerBlock.requiredSigner,
        heldByThisInstance: signerBlock.heldByThisInstance,
        signerAddress: signerBlock.signerAddress,
        note: signerBlock.note,
        description: Type.String(),
        implementation: LowercaseAddress,
        previousImplementation: LowercaseAddress,
        routerAddress: optional(LowercaseAddress),
        modelAddress: optional(LowercaseAddress),
        fundAddress: optional(LowercaseAddress),
        owner: optional(LowercaseAddress),
        pokeSnapshot: optional(Call),
        perimeter: optional(Perimeter),
        feeModel: optional(FeeModel),
        followUps: optional(Data({ reason: Type.String(), requiredRole: Type.String(), steps: Type.Array(Call) })),
        acknowledgedFeeModelImpact: optional(Type.Literal(true)),
        simulation: Simulation,
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ txHash: Type.Null(), target: OneOf(upgradeTargets) }),
        }),
      }),
      errors: upgradeBuildErrors,
    },
    confirm: {
      body: withHash(upgrade),
      data: Data({
        confirmed: Type.Literal(true),
        target: OneOf(upgradeTargets),
        proxy: LowercaseAddress,
        txHash: Type.String(),
        implementation: LowercaseAddress,
        signer: LowercaseAddress,
        ...verifiedBy,
      }),
      errors: upgradeConfirmErrors,
    },
  },
})
