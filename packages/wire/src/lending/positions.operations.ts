import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors, unreadableErrors, validationErrors } from './lending.errors.ts'
import { Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { loanErrors, loanIdErrors, positionErrors, readLoanErrors } from './positions.errors.ts'
import { LoanState, PledgeCompliance, Position, PositionRow, positionStatuses } from './positions-read.schemas.ts'

const optional = Type.Optional
const { marketId } = MarketPath.properties
const PositionPath = Type.Object({ marketId, positionId: Type.String() })
const WalletPath = Type.Object({ marketId, userAddress: Address })

export const getLoan = defineOperation({
  ...lendingPath('/positions/{marketId}/loan/{loanId}', 'v1'),
  id: 'getLoan',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a loan',
  description:
    'A loan as the chain has it at one block, what the collateral token says about its holder, and whether the pledge is still backed.',
  params: Type.Object({ marketId, loanId: Type.String({ pattern: '^[0-9]{1,15}$' }) }),
  fieldCodes: { ...marketIdCode, loanId: 'INVALID_LOAN_ID' },
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({ ...LoanState.properties, compliance: PledgeCompliance }),
      errors: { ...deployedMarketErrors, ...loanIdErrors, ...loanErrors, ...readLoanErrors },
    },
  },
})

export const listUserLoans = defineOperation({
  ...lendingPath('/positions/{marketId}/user-loans/{userAddress}', 'v1'),
  id: 'listUserLoans',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List the loans of a wallet',
  description:
    'Open and closed loans whose borrower the wallet is, newest first: `limit` 50 (at most 200), `cursor` goes on. `payeeLoans`: the newest 50 whose money it receives.',
  params: WalletPath,
  query: Type.Object({ limit: optional(Type.String()), cursor: optional(Type.String({ maxLength: 400 })) }),
  fieldCodes: marketIdCode,
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        userAddress: LowercaseAddress,
        loans: Type.Array(LoanState),
        payeeLoans: Type.Array(LoanState),
        limit: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...deployedMarketErrors, ...validationErrors, ...readLoanErrors },
    },
  },
})

export const getUserCollateral = defineOperation({
  ...lendingPath('/positions/{marketId}/user-collateral/{userAddress}', 'v1'),
  id: 'getUserCollateral',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the collateral of a wallet',
  description: 'What the wallet has pledged over all its loans of this market.',
  params: WalletPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({ userAddress: LowercaseAddress, collateral: DecimalString }),
      errors: { ...deployedMarketErrors, ...validationErrors, ...unreadableErrors },
    },
  },
})

export const listPositions = defineOperation({
  ...lendingPath('/positions/{marketId}/positions', 'v1'),
  id: 'listPositions',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List positions',
  description:
    'The loans of a market, newest first: history from its events, figures of open loans from the chain. `limit` 50 (at most 200), `offset` within the newest 2,000, or `cursor` to go on for ever.',
  params: MarketPath,
  query: Type.Object({
    limit: optional(Type.String()),
    offset: optional(Type.String()),
    cursor: optional(Type.String({ maxLength: 400 })),
    status: optional(OneOf(positionStatuses)),
  }),
  csv: {
    rows: 'positions',
    page: 200,
    columns: Object.fromEntries(
      Object.keys(PositionRow.properties)
        .filter((name) => name !== 'transactions')
        .map((name) => [name, name]),
    ),
  },
  fieldCodes: marketIdCode,
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        positions: Type.Array(PositionRow),
        hasMore: Type.Boolean(),
        limit: Type.Integer(),
        offset: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...deployedMarketErrors, ...validationErrors, ...readLoanErrors },
    },
  },
})

export const getPosition = defineOperation({
  ...lendingPath('/positions/{marketId}/positions/{positionId}', 'v1'),
  id: 'getPosition',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a position',
  description:
    'One loan with everything that is known of it: figures of now, surplus, what its realizations lost, and its history.',
  params: PositionPath,
  fieldCodes: marketIdCode,
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Position,
      errors: { ...deployedMarketErrors, ...positionErrors, ...readLoanErrors },
    },
  },
})

export const getLoanStatement = defineOperation({
  ...lendingPath('/positions/{marketId}/positions/{positionId}/statement', 'v1'),
  id: 'getLoanStatement',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the statement of a loan',
  description:
    'A PDF of everything that happened on a loan, with balances after each step. The same events always make the same file and the same reference.',
  params: PositionPath,
  fieldCodes: marketIdCode,
  files: ['application/pdf'],
  legs: { read: { data: Type.Null(), errors: { ...deployedMarketErrors, ...positionErrors } } },
})

const OpenLoan = Data({
  marketId: Type.String(),
  loanId: Type.String(),
  borrower: LowercaseAddress,
  collateralSymbol: Type.String(),
  borrowSymbol: Type.String(),
  collateralAmount: DecimalString,
  principal: DecimalString,
  interest: DecimalString,
  healthFactor: Nullable(Type.String({ description: 'Below 1 it can be seized; null: no debt.' })),
  liquidationThresholdBps: Type.Integer(),
  price: DecimalString,
  dueAt: Nullable(Instant),
  isOverdue: Type.Boolean({ description: 'Due, and its grace period is over.' }),
  inAuction: Type.Boolean(),
  collateralIntact: Type.Boolean({ description: 'The pledge is still backed, as far as the watch has seen.' }),
})

/** A market that did not answer, and what of it. */
const UnreadMarket = Data({
  marketId: Type.String(),
  collateralSymbol: Type.String(),
  borrowSymbol: Type.String(),
  reason: OneOf(['MARKET_UNREADABLE', 'PRICE_UNREADABLE'] as const),
})

export const listOpenLoans = defineOperation({
  ...lendingPath('/loans'),
  id: 'listOpenLoans',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List open loans of all markets',
  description:
    'Of every active market of the instance, as the chain has them at one block: lowest health first, or with `sort=dueAt` those that are due first. `limit` 50 (at most 200), `cursor` goes on behind a loan, at a later block. Not all of them are there (`isComplete` false) when there are more than 2000, of which the newest are looked at, or when the contracts of a market do not answer: `unreadMarkets` names it, and the others are shown.',
  query: Type.Object({
    sort: optional(OneOf(['health', 'dueAt'] as const)),
    limit: optional(Type.String()),
    cursor: optional(Type.String({ maxLength: 400 })),
  }),
  unreadable: 'LOAN_STATE_UNAVAILABLE',
  csv: {
    rows: 'loans',
    columns: Object.fromEntries(Object.keys(OpenLoan.properties).map((name) => [name, name])),
    page: 200,
  },
  legs: {
    read: {
      data: Data({
        loans: Type.Array(OpenLoan),
        total: Type.Integer(),
        isComplete: Type.Boolean(),
        unreadMarkets: Type.Array(UnreadMarket),
        hasMore: Type.Boolean(),
        limit: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...validationErrors, ...readLoanErrors },
    },
  },
})
