import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Instant, Line, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { accountErrors, ledgerErrors } from './trading.errors.ts'
import { Body, Data, OFFCHAIN, offchain, optional } from './trading.operation.ts'
import { CustomerRef, pageQuery, Units, UnitsIn } from './trading.schemas.ts'

const LEDGER = `${OFFCHAIN}/ledger`

const Token = Data({
  tokenAddress: LowercaseAddress,
  symbol: Type.String(),
  name: Nullable(Type.String()),
  registeredAt: Instant,
})

const Balance = Data({
  customerRef: Nullable(Type.String({ description: 'Null: what the instance collected in fees.' })),
  tokenAddress: LowercaseAddress,
  total: Units,
  reserved: Units,
  available: Units,
  updatedAt: Instant,
})

const Leg = Data({
  customerRef: Nullable(Type.String()),
  account: OneOf(['CUSTOMER', 'FEES', 'EXTERNAL'] as const),
  amount: Units,
})

const Entry = Data({
  entryId: Type.String(),
  kind: OneOf(['CREDIT', 'DEBIT', 'TRADE', 'FEE', 'REBATE'] as const),
  tokenAddress: LowercaseAddress,
  legs: Type.Array(Leg, { description: 'Two, which sum to zero.' }),
  tradeId: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  createdAt: Instant,
})

const movement = Body({
  customerRef: CustomerRef,
  tokenAddress: Address,
  amount: UnitsIn,
  reference: optional(Line(200)),
})
const Moved = Data({ entry: Entry, balance: Balance })

export const registerLedgerToken = defineOperation({
  ...offchain,
  id: 'registerLedgerToken',
  method: 'POST',
  path: `${LEDGER}/tokens`,
  scope: 'trading:write',
  summary: 'Register a token in the ledger',
  description: 'A book can be traded once both of its tokens are registered. Registering again changes nothing.',
  body: Body({ tokenAddress: Address, symbol: Line(16), name: optional(Line(100)) }),
  legs: { write: { data: Token, errors: validationErrors } },
})

export const listLedgerTokens = defineOperation({
  ...offchain,
  id: 'listLedgerTokens',
  method: 'GET',
  path: `${LEDGER}/tokens`,
  scope: 'trading:read',
  summary: 'List the tokens of the ledger',
  legs: { read: { data: Type.Array(Token), errors: {} } },
})

export const creditLedger = defineOperation({
  ...offchain,
  id: 'creditLedger',
  method: 'POST',
  path: `${LEDGER}/credit`,
  scope: 'trading:write',
  summary: 'Credit a customer',
  description: 'From outside into the ledger. Opens the trading account of the customer, if there is none yet.',
  body: movement,
  legs: { write: { data: Moved, errors: { ...validationErrors, ...ledgerErrors } } },
})

export const debitLedger = defineOperation({
  ...offchain,
  id: 'debitLedger',
  method: 'POST',
  path: `${LEDGER}/debit`,
  scope: 'trading:write',
  summary: 'Debit a customer',
  description: 'Out of the ledger; never more than is available.',
  body: movement,
  legs: {
    write: {
      data: Moved,
      errors: {
        ...validationErrors,
        ...ledgerErrors,
        INSUFFICIENT_BALANCE: {
          status: 400,
          message: 'The ledger holds less for this customer that is not reserved.',
          extra: Type.Object({ required: Type.String(), available: Type.String(), tokenAddress: Type.String() }),
        },
      },
    },
  },
})

export const listLedgerBalances = defineOperation({
  ...offchain,
  id: 'listLedgerBalances',
  method: 'GET',
  path: `${LEDGER}/balances`,
  scope: 'trading:read',
  summary: 'Balances of the ledger',
  description: 'By customer and token; `customerRef` and `tokenAddress` narrow it. `limit` 50 (at most 100), `offset`.',
  query: Type.Object({
    customerRef: optional(CustomerRef),
    tokenAddress: optional(Address),
    ...pageQuery.properties,
  }),
  legs: {
    read: {
      data: Data({
        balances: Type.Array(Balance),
        total: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
      errors: validationErrors,
    },
  },
})

export const getAccountStatement = defineOperation({
  ...offchain,
  id: 'getAccountStatement',
  method: 'GET',
  path: `${LEDGER}/accounts/{customerRef}/statement`,
  scope: 'trading:read',
  summary: 'Get the statement of an account',
  description:
    'A PDF of one customer of the ledger: of every token, or of `tokenAddress`, the balance at `from`, each entry before `to` with the balance after it, what was paid in fees, and the balance at `to`. At most 10,000 entries.',
  params: Type.Object({ customerRef: CustomerRef }),
  query: Type.Object({ from: Instant, to: Instant, tokenAddress: optional(Address) }),
  files: ['application/pdf'],
  legs: {
    read: {
      data: Type.Null(),
      errors: {
        ...validationErrors,
        ACCOUNT_NOT_FOUND: accountErrors.ACCOUNT_NOT_FOUND,
        STATEMENT_TOO_LONG: {
          status: 400,
          message: 'More than 10,000 entries: choose a shorter period or one token, or read the entries as CSV.',
        },
      },
    },
  },
})

export const listLedgerEntries = defineOperation({
  ...offchain,
  id: 'listLedgerEntries',
  method: 'GET',
  path: `${LEDGER}/entries`,
  scope: 'trading:read',
  summary: 'Entries of the ledger',
  description:
    'Newest first, `limit` 50 (at most 100); go on with `cursor` = the `nextCursor` of the page before. `customerRef` and `tokenAddress` narrow it.',
  query: Type.Object({
    customerRef: optional(CustomerRef),
    tokenAddress: optional(Address),
    limit: optional(Type.String()),
    cursor: optional(Type.String({ maxLength: 100 })),
  }),
  csv: {
    rows: 'entries',
    page: 100,
    columns: {
      entryId: 'entryId',
      createdAt: 'createdAt',
      kind: 'kind',
      tokenAddress: 'tokenAddress',
      fromAccount: 'legs.0.account',
      fromCustomerRef: 'legs.0.customerRef',
      toAccount: 'legs.1.account',
      toCustomerRef: 'legs.1.customerRef',
      amount: 'legs.1.amount',
      tradeId: 'tradeId',
      reference: 'reference',
    },
  },
  legs: {
    read: {
      data: Data({ entries: Type.Array(Entry), limit: Type.Integer(), nextCursor: Nullable(Type.String()) }),
      errors: validationErrors,
    },
  },
})
