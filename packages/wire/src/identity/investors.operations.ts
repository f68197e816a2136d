import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Data } from '../lending/lending.operation.ts'
import { UnixSeconds } from '../lending/lending.schemas.ts'
import { Address, DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { ClaimTypeName, CountryName, Expiry, identityStatuses, investorTypes } from './identity.schemas.ts'
import { identity } from './identity-path.ts'

const optional = Type.Optional

export const listInvestors = defineOperation({
  ...identity('/investors'),
  id: 'listInvestors',
  method: 'GET',
  scope: 'identity:read',
  summary: 'List investors',
  description:
    'Wallets that your instance verified or revoked, the newest record first: `limit` 50 (at most 200), `cursor` goes on. `q` is part of an address or a country, `expiresWithinDays` leaves those with a claim that ends by then. Claims are listed for the registry of this deployment.',
  query: Type.Object({
    q: optional(Type.String({ minLength: 2, maxLength: 66 })),
    expiresWithinDays: optional(Type.String({ pattern: '^[1-9][0-9]{0,3}$' })),
    limit: optional(Type.String()),
    cursor: optional(Type.String({ maxLength: 400 })),
  }),
  legs: {
    read: {
      data: Data({
        investors: Type.Array(
          Data({
            walletAddress: LowercaseAddress,
            registryAddress: LowercaseAddress,
            recorded: OneOf(['verified', 'revoked'] as const),
            recordedAt: Instant,
            country: Nullable(CountryName),
            investorType: Nullable(OneOf(investorTypes)),
            status: Nullable(OneOf(identityStatuses)),
            frozen: Nullable(Type.Boolean()),
            softExpiry: Nullable(Expiry),
            hardExpiry: Nullable(Expiry),
            claims: Type.Array(
              Data({ claimType: ClaimTypeName, issuer: LowercaseAddress, expiry: Expiry, issuedAt: UnixSeconds }),
            ),
          }),
          {
            description: 'status, frozen and both expiries are what the registry says now; null: it could not be read.',
          },
        ),
        nextCursor: Nullable(Type.String()),
      }),
      errors: validationErrors,
    },
  },
})

export const getExposure = defineOperation({
  ...identity('/exposure'),
  id: 'getExposure',
  method: 'GET',
  scope: 'identity:read',
  summary: 'What depends on a wallet or a token',
  description:
    'Open loans, resting orders and shares on the record of your instance: of `walletAddress`, for instance before a claim of it is revoked, or in `tokenAddress`, for instance before it is split; with both, of that wallet in that token. The newest 200 of each.',
  query: Type.Object({ walletAddress: optional(Address), tokenAddress: optional(Address) }),
  legs: {
    read: {
      data: Data({
        loans: Type.Array(
          Data({
            marketId: Type.String(),
            loanId: Type.String(),
            borrower: LowercaseAddress,
            mode: OneOf(['FREEZE', 'CUSTODY'] as const),
            tokenAddress: LowercaseAddress,
            collateral: DecimalString,
            collateralSymbol: Type.String(),
            principal: DecimalString,
            borrowSymbol: Type.String(),
          }),
        ),
        orders: Type.Array(
          Data({
            orderId: Type.String(),
            orderBookId: Type.String(),
            symbol: Type.String(),
            tokenAddress: LowercaseAddress,
            holder: Type.String(),
            side: OneOf(['BUY', 'SELL'] as const),
            price: Nullable(Type.String()),
            remaining: Type.String({ description: 'In order book units.' }),
          }),
        ),
        holdings: Type.Array(
          Data({
            tokenAddress: LowercaseAddress,
            symbol: Type.String(),
            holder: LowercaseAddress,
            balance: DecimalString,
          }),
          { description: 'Stock tokens that your instance has recorded.' },
        ),
        truncated: Type.Boolean(),
      }),
      errors: validationErrors,
    },
  },
})
