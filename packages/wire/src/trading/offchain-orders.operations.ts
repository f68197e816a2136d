import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Id, OneOf } from '../primitives.ts'
import { bookErrors, idErrors, newOrderErrors, orderErrors, orderLookupErrors } from './trading.errors.ts'
import { Body, Data, OFFCHAIN, OrderPath, offchain, optional, orderIdCode } from './trading.operation.ts'
import {
  CustomerRef,
  newOrder,
  Order,
  OrderDetails,
  OrderPage,
  OrderRefusal,
  orderStatuses,
  PlacedOrder,
  pageQuery,
  Side,
  TradePage,
  tradesCsv,
  tradesQuery,
  UnitsIn,
} from './trading.schemas.ts'

const own = { ...offchain, params: OrderPath, fieldCodes: orderIdCode } as const
const CustomerPath = Type.Object({ customerRef: CustomerRef })
const customerCode = { customerRef: 'INVALID_PARAM' } as const

export const submitOffchainOrder = defineOperation({
  ...offchain,
  id: 'submitOffchainOrder',
  method: 'POST',
  path: `${OFFCHAIN}/orders`,
  scope: 'trading:write',
  summary: 'Submit an order',
  description:
    'Answered after order, trades and balances are committed together. A sell reserves its quantity, a buy its value and the largest fee it can be charged; a market buy what the depth asks for.',
  body: Body(newOrder),
  legs: { write: { data: PlacedOrder, errors: { ...validationErrors, ...bookErrors, ...newOrderErrors } } },
})

export const submitOffchainOrders = defineOperation({
  ...offchain,
  id: 'submitOffchainOrders',
  method: 'POST',
  path: `${OFFCHAIN}/orders/batch`,
  scope: 'trading:write',
  summary: 'Submit up to 100 orders',
  description:
    'Orders of one book, one after the other in one commit. Each is taken or refused for itself; `results` are in the order they were sent.',
  largestBody: 256 * 1024,
  body: Body({
    orderBookId: Id,
    orders: Type.Array(Body(withoutBook()), { minItems: 1, maxItems: 100 }),
  }),
  legs: {
    write: {
      data: Data({
        accepted: Type.Integer(),
        refused: Type.Integer(),
        results: Type.Array(
          Type.Union([
            Data({ accepted: Type.Literal(true), ...PlacedOrder.properties }),
            Data({
              accepted: Type.Literal(false),
              clientOrderId: optional(Type.String()),
              error: OrderRefusal,
            }),
          ]),
        ),
      }),
      errors: {
        ...validationErrors,
        ...bookErrors,
        WRONG_SETTLEMENT_MODE: newOrderErrors.WRONG_SETTLEMENT_MODE,
        TOKEN_NOT_REGISTERED: newOrderErrors.TOKEN_NOT_REGISTERED,
        PRICE_REF_STALE: newOrderErrors.PRICE_REF_STALE,
        PRICE_REF_UNAVAILABLE: newOrderErrors.PRICE_REF_UNAVAILABLE,
      },
    },
  },
})

function withoutBook() {
  const { orderBookId: _book, ...rest } = newOrder
  return rest
}

export const cancelOffchainOrder = defineOperation({
  ...own,
  id: 'cancelOffchainOrder',
  method: 'DELETE',
  path: `${OFFCHAIN}/orders/{orderId}`,
  scope: 'trading:write',
  summary: 'Cancel an order',
  description: 'Gives back what was reserved for what was not filled.',
  body: Body({ customerRef: CustomerRef }),
  legs: { write: { data: Order, errors: { ...validationErrors, ...orderLookupErrors } } },
})

export const amendOffchainOrder = defineOperation({
  ...own,
  id: 'amendOffchainOrder',
  method: 'PATCH',
  path: `${OFFCHAIN}/orders/{orderId}`,
  scope: 'trading:write',
  summary: 'Change a resting order',
  description:
    '`quantity` is the whole order, with what is filled of it. Making it smaller keeps its place in the queue; another price or a larger quantity puts it at the end, and may trade.',
  body: Body({ customerRef: CustomerRef, price: optional(UnitsIn), quantity: optional(UnitsIn) }),
  legs: {
    write: {
      data: PlacedOrder,
      errors: { ...validationErrors, ...bookErrors, ...orderLookupErrors, ...amendErrors() },
    },
  },
})

function amendErrors() {
  const { TOKEN_NOT_REGISTERED: _token, MM_CONFIG_VIOLATION: _account, ...rest } = orderErrors
  return rest
}

export const massCancelOffchainOrders = defineOperation({
  ...offchain,
  id: 'massCancelOffchainOrders',
  method: 'POST',
  path: `${OFFCHAIN}/orders/mass-cancel`,
  scope: 'trading:write',
  summary: 'Cancel many orders',
  description:
    'Of a customer, of a book, or of a customer on a book; `side` narrows it. Book by book, each in one commit.',
  body: Body({ customerRef: optional(CustomerRef), orderBookId: optional(Id), side: optional(Side) }),
  legs: {
    write: {
      data: Data({ cancelled: Type.Integer(), orderIds: Type.Array(Type.String()) }),
      errors: { ...validationErrors, ...bookErrors },
    },
  },
})

export const getOffchainOrder = defineOperation({
  ...own,
  id: 'getOffchainOrder',
  method: 'GET',
  path: `${OFFCHAIN}/orders/{orderId}`,
  scope: 'trading:read',
  summary: 'Get an order',
  description: 'With its book and its trades, newest first, at most 100 of each side.',
  legs: { read: { data: OrderDetails, errors: orderLookupErrors } },
})

export const listCustomerOrders = defineOperation({
  ...offchain,
  id: 'listCustomerOrders',
  method: 'GET',
  path: `${OFFCHAIN}/customers/{customerRef}/orders`,
  scope: 'trading:read',
  summary: 'Orders of a customer',
  description: 'Newest first: `limit` 50 (at most 100), `offset`; `orderBookId` and `status` narrow it.',
  params: CustomerPath,
  query: Type.Object({
    orderBookId: optional(Id),
    status: optional(OneOf(orderStatuses)),
    ...pageQuery.properties,
  }),
  fieldCodes: { ...customerCode, orderBookId: 'INVALID_PARAM', status: 'INVALID_PARAM' },
  legs: { read: { data: OrderPage, errors: idErrors } },
})

export const listCustomerTrades = defineOperation({
  ...offchain,
  id: 'listCustomerTrades',
  method: 'GET',
  path: `${OFFCHAIN}/customers/{customerRef}/trades`,
  scope: 'trading:read',
  summary: 'Trades of a customer',
  description: 'On either side, on all books, newest first: `limit` 50 (at most 100), `offset`, or `cursor` to go on.',
  params: CustomerPath,
  query: tradesQuery,
  csv: tradesCsv,
  fieldCodes: customerCode,
  legs: { read: { data: TradePage, errors: idErrors } },
})
