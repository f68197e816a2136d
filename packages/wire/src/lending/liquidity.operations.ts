import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash } from '../primitives.ts'
import { Body, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { pageQuery } from './lending.schemas.ts'
import {
  addLiquidityErrors,
  liquidityConfirmErrors,
  providerBalanceErrors,
  providersErrors,
  removeLiquidityErrors,
} from './liquidity.errors.ts'
import {
  AddLiquidityBuilt,
  LiquidityAdded,
  LiquidityRemoved,
  ProviderBalance,
  ProviderList,
  RemoveLiquidityBuilt,
} from './liquidity.schemas.ts'

const optional = Type.Optional
const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const provider = optional(
  Type.String({ ...Address, description: 'Required to build. With `txHash`: whom the effect must concern, if sent.' }),
)

const deposit = {
  amount: optional(Type.String({ description: 'Decimal, in whole units of the borrow asset. Required to build.' })),
  provider,
} as const
const redemption = {
  shares: optional(Type.String({ description: 'Decimal, at most 18 decimals. Required to build.' })),
  provider,
} as const

export const addLiquidity = defineOperation({
  ...lendingPath('/positions/{marketId}/add-liquidity', 'v1'),
  id: 'addLiquidity',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Add liquidity',
  description:
    'Builds an approval and a deposit into the pool for the operator wallet, or what makes a registered vault supply. With `txHash` of the deposit: confirms it; `amount` is then ignored.',
  ...ofMarket,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { body: Body(deposit), data: AddLiquidityBuilt, errors: addLiquidityErrors },
    confirm: { body: Body({ ...deposit, txHash: Hash }), data: LiquidityAdded, errors: liquidityConfirmErrors },
  },
})

export const removeLiquidity = defineOperation({
  ...lendingPath('/positions/{marketId}/remove-liquidity', 'v1'),
  id: 'removeLiquidity',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Remove liquidity',
  description:
    'Builds the return of pool shares for money: all or nothing, bound by what is not lent out. Also while the market is paused. With `txHash`: confirms it; `shares` is then ignored.',
  ...ofMarket,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { body: Body(redemption), data: RemoveLiquidityBuilt, errors: removeLiquidityErrors },
    confirm: { body: Body({ ...redemption, txHash: Hash }), data: LiquidityRemoved, errors: liquidityConfirmErrors },
  },
})

export const listProviders = defineOperation({
  ...lendingPath('/positions/{marketId}/providers', 'v1'),
  id: 'listProviders',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List providers',
  description:
    'Who holds shares of the pool, newest first: `limit` 50 (at most 200), `offset`, or `cursor`. Shares are read from the chain; `source` says when they could not be.',
  ...ofMarket,
  query: Type.Object(pageQuery),
  legs: { read: { data: ProviderList, errors: providersErrors } },
})

export const getProviderBalance = defineOperation({
  ...lendingPath('/positions/{marketId}/provider-balance/{provider}', 'v1'),
  id: 'getProviderBalance',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a provider balance',
  description: 'What a provider holds of the pool and what that is worth now.',
  params: Type.Object({ ...MarketPath.properties, provider: Address }),
  fieldCodes: marketIdCode,
  legs: { read: { data: ProviderBalance, errors: providerBalanceErrors } },
})
