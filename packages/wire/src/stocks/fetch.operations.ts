import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { stocks, tokenCode } from './stock-write.ts'
import { chainErrors, holdersErrors, missingFields, roleErrors, tokenErrors } from './stocks.errors.ts'
import {
  Exactly,
  IntegerString,
  StockTransaction,
  stockRecord,
  stockRoles,
  TokenPath,
  transactionTypes,
} from './stocks.schemas.ts'

const read = { ...stocks, method: 'GET', scope: 'stocks:read' } as const
const AccountPath = Type.Object({ tokenAddress: Address, account: Address })
const page = { limit: Type.Optional(Type.String()), offset: Type.Optional(Type.String()) } as const

export const listStocks = defineOperation({
  ...read,
  id: 'listStocks',
  path: '/stocks/api/fetch/tokens',
  summary: 'List stock tokens',
  description: 'Every stock token that your instance has recorded, newest first.',
  legs: { read: { data: Type.Array(Exactly(stockRecord)), errors: {} } },
})

export const getStock = defineOperation({
  ...read,
  id: 'getStock',
  path: '/stocks/api/fetch/token/{tokenAddress}',
  summary: 'Get a stock token',
  description: 'The record of a token, and what it says of itself now.',
  params: TokenPath,
  fieldCodes: tokenCode,
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Exactly({
        ...stockRecord,
        totalSupply: DecimalString,
        paused: Type.Boolean(),
        owner: LowercaseAddress,
        identityRegistry: LowercaseAddress,
        announcedRegistry: Nullable(
          Exactly({
            registryAddress: LowercaseAddress,
            readyAt: Type.Integer({ description: 'Unix seconds, from which on the issuer may take it, for 14 days.' }),
          }),
        ),
        complianceModule: Nullable(LowercaseAddress),
        subIssuersAllowed: Type.Boolean(),
        holderCount: IntegerString,
        splitRatio: Exactly({ numerator: IntegerString, denominator: IntegerString }),
        splitHoldersLeft: Type.String({ description: 'Above 0: a split is under way, and nothing else moves.' }),
      }),
      errors: { ...tokenErrors, ...validationErrors, ...chainErrors },
    },
  },
})

export const checkRole = defineOperation({
  ...read,
  id: 'checkRole',
  path: '/stocks/api/fetch/{tokenAddress}/role/{account}',
  summary: 'Check a role',
  description:
    'Whether an account holds `role` of the token; without it, all four, and what it issued as a sub-issuer.',
  params: AccountPath,
  query: Type.Object({ role: Type.Optional(OneOf(stockRoles)) }),
  fieldCodes: { ...tokenCode, role: 'INVALID_ROLE' },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Type.Union([
        Exactly({ account: LowercaseAddress, role: OneOf(stockRoles), hasRole: Type.Boolean() }),
        Exactly({
          account: LowercaseAddress,
          roles: Exactly({
            ISSUER: Type.Boolean(),
            SUB_ISSUER: Type.Boolean(),
            CONTROLLER: Type.Boolean(),
            LEGAL_OPERATOR: Type.Boolean(),
          }),
          subIssuer: Exactly({
            cap: Nullable(Type.String({ description: 'Null: no cap.' })),
            outstanding: DecimalString,
          }),
        }),
      ]),
      errors: { ...tokenErrors, ...roleErrors, ...validationErrors, ...chainErrors },
    },
  },
})

export const canTransferShares = defineOperation({
  ...read,
  id: 'canTransferShares',
  path: '/stocks/api/fetch/{tokenAddress}/can-transfer',
  summary: 'Ask whether a transfer would pass',
  description:
    'Asks the token itself, which names the first rule that refuses, also of compliance modules of its identity registry.',
  params: TokenPath,
  query: Type.Object({
    from: Type.Optional(Address),
    to: Type.Optional(Address),
    amount: Type.Optional(Type.String({ description: 'Decimal in shares.' })),
  }),
  fieldCodes: tokenCode,
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Exactly({
        allowed: Type.Boolean(),
        from: LowercaseAddress,
        to: LowercaseAddress,
        amount: DecimalString,
        code: OneOf([
          'SUCCESS',
          'SENDER_NOT_ELIGIBLE',
          'RECEIVER_NOT_ELIGIBLE',
          'SENDER_TOKENS_FROZEN',
          'RECEIVER_TOKENS_FROZEN',
          'COMPLIANCE_REJECTED',
          'PAUSED',
          'INSUFFICIENT_BALANCE',
        ] as const),
        rule: Type.String({ description: 'The rule as the token names it; SUCCESS when none refuses.' }),
        module: Nullable(
          Type.String({
            description:
              'The compliance module that refuses: of the identity registry for REGISTRY_MODULE_REFUSED and REGISTRY_MODULE_FAILED, else of the token. Null where no module does.',
          }),
        ),
      }),
      errors: { ...tokenErrors, ...missingFields, ...validationErrors, ...chainErrors },
    },
  },
})

export const getShareBalance = defineOperation({
  ...read,
  id: 'getShareBalance',
  path: '/stocks/api/fetch/balance/{tokenAddress}/{account}',
  summary: 'Get a balance',
  description: 'What an account holds of a token, and how much of it can move.',
  params: AccountPath,
  fieldCodes: tokenCode,
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Exactly({
        account: LowercaseAddress,
        total: DecimalString,
        transferable: DecimalString,
        frozen: DecimalString,
        walletFrozen: Type.Boolean({ description: 'An agent has frozen the whole wallet.' }),
      }),
      errors: { ...tokenErrors, ...validationErrors, ...chainErrors },
    },
  },
})

export const listHoldings = defineOperation({
  ...read,
  id: 'listHoldings',
  path: '/stocks/api/fetch/holder/{walletAddress}',
  summary: 'List what a wallet holds',
  description: 'Of all stock tokens of your instance, those that the wallet holds now.',
  params: Type.Object({ walletAddress: Address }),
  fieldCodes: { walletAddress: 'VALIDATION_ERROR' },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Type.Array(
        Exactly({
          tokenAddress: LowercaseAddress,
          name: Type.String(),
          symbol: Type.String(),
          balance: DecimalString,
        }),
      ),
      errors: { ...validationErrors, ...chainErrors },
    },
  },
})

export const listHolders = defineOperation({
  ...read,
  id: 'listHolders',
  path: '/stocks/api/fetch/holders/{tokenAddress}',
  summary: 'List holders',
  description:
    'Who held how much at the end of `block`, by the transfers up to it; or of the last block made at or before `at`; without both, at the last block on record. The largest first: `limit` 100 (at most 500), `offset`.',
  params: TokenPath,
  query: Type.Object({
    ...page,
    block: Type.Optional(Type.String({ pattern: '^(0|[1-9][0-9]{0,29})$', description: 'A block number.' })),
    at: Type.Optional(Instant),
  }),
  csv: { rows: 'holders', page: 500, pins: ['block'], columns: { address: 'address', balance: 'balance' } },
  fieldCodes: tokenCode,
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Exactly({
        holders: Type.Array(Exactly({ address: LowercaseAddress, balance: DecimalString })),
        total: Type.Integer(),
        totalSupply: DecimalString,
        block: Type.String({ description: 'Everything above is true at the end of this block.' }),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
      errors: { ...tokenErrors, ...validationErrors, ...holdersErrors, ...chainErrors },
    },
  },
})

export const listStockTransactions = defineOperation({
  ...read,
  id: 'listStockTransactions',
  path: '/stocks/api/fetch/transactions/{tokenAddress}',
  summary: 'List transactions',
  description:
    'What happened on the token, whoever did it, newest first: `limit` 50 (at most 200), `offset`, or `cursor` to go on.',
  params: TokenPath,
  query: Type.Object({
    ...page,
    cursor: Type.Optional(Type.String({ maxLength: 400 })),
    type: Type.Optional(OneOf(transactionTypes)),
  }),
  fieldCodes: tokenCode,
  pagination: Exactly({
    returned: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    hasMore: Type.Boolean(),
    nextCursor: Nullable(Type.String()),
  }),
  legs: { read: { data: Type.Array(StockTransaction), errors: { ...tokenErrors, ...validationErrors } } },
})
