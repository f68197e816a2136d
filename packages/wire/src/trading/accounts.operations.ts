import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Id, Instant, Line, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { accountErrors } from './trading.errors.ts'
import { Body, Data, onEveryClass, optional, trading } from './trading.operation.ts'
import { CustomerRef } from './trading.schemas.ts'

const Account = Data({
  accountId: Type.String(),
  userAddress: Nullable(LowercaseAddress),
  customerRef: Nullable(Type.String()),
  name: Nullable(Type.String()),
  isMarketMaker: Type.Boolean(),
  canQuote: Type.Boolean(),
  permittedOrderBookIds: Nullable(Type.Array(Type.String(), { description: 'Null: every book.' })),
  status: OneOf(['ACTIVE', 'SUSPENDED'] as const),
  createdAt: Instant,
  updatedAt: Instant,
})

const settings = {
  name: optional(Nullable(Line(100))),
  isMarketMaker: optional(Type.Boolean()),
  canQuote: optional(Type.Boolean({ description: 'May answer requests for quote.' })),
  permittedOrderBookIds: optional(Nullable(Type.Array(Id, { maxItems: 100 }))),
}

const AccountPath = Type.Object({ accountId: Id })
const own = { ...trading, params: AccountPath, fieldCodes: { accountId: 'INVALID_PARAM' } } as const

export const createAccount = defineOperation({
  ...trading,
  id: 'createAccount',
  method: 'POST',
  ...onEveryClass('/accounts'),
  scope: 'trading:write',
  summary: 'Open a trading account',
  description: 'For one wallet or one customer; the three classes share them.',
  body: Body({ userAddress: optional(Address), customerRef: optional(CustomerRef), ...settings }),
  legs: {
    write: {
      data: Account,
      errors: {
        ...validationErrors,
        ACCOUNT_EXISTS: {
          status: 409,
          message: 'This wallet or customer has a trading account already.',
          extra: Type.Object({ accountId: Type.String() }),
        },
      },
    },
  },
})

export const listAccounts = defineOperation({
  ...trading,
  id: 'listAccounts',
  method: 'GET',
  ...onEveryClass('/accounts'),
  scope: 'trading:read',
  summary: 'List trading accounts',
  description: 'Newest first: `limit` 50 (at most 100), `offset`; `userAddress` or `customerRef` finds one.',
  query: Type.Object({
    userAddress: optional(Address),
    customerRef: optional(CustomerRef),
    limit: optional(Type.String()),
    offset: optional(Type.String()),
  }),
  legs: {
    read: {
      data: Data({
        accounts: Type.Array(Account),
        total: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
      errors: validationErrors,
    },
  },
})

export const getAccount = defineOperation({
  ...own,
  id: 'getAccount',
  method: 'GET',
  ...onEveryClass('/accounts/{accountId}'),
  scope: 'trading:read',
  summary: 'Get a trading account',
  legs: { read: { data: Account, errors: accountErrors } },
})

export const updateAccount = defineOperation({
  ...own,
  id: 'updateAccount',
  method: 'PATCH',
  ...onEveryClass('/accounts/{accountId}'),
  scope: 'trading:write',
  summary: 'Change a trading account',
  description: 'What is not sent stays. A suspended account places no orders; what rests stays until it is cancelled.',
  body: Body({ ...settings, status: optional(OneOf(['ACTIVE', 'SUSPENDED'] as const)) }),
  legs: { write: { data: Account, errors: { ...validationErrors, ...accountErrors } } },
})
