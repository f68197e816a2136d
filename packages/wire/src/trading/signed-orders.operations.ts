import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { builtA } from '../lending/lending.schemas.ts'
import { Address, Id } from '../primitives.ts'
import {
  amendErrors,
  batchErrors,
  cancelErrors,
  cancelOnChainErrors,
  lookupErrors,
  nonceFloorErrors,
  prepareErrors,
  priorityErrors,
  sideCode,
  submitErrors,
  termCodes,
} from './signed-orders.errors.ts'
import {
  BatchResult,
  PlacedSignedOrder,
  PreparedOrder,
  priorityOrderBody,
  SignedOrderDetails,
  signedOrderBody,
  termsToPrepare,
  UserOrderPage,
  UserTradePage,
  userOrdersQuery,
  userTradesCsv,
} from './signed-orders.schemas.ts'
import { bookErrors } from './trading.errors.ts'
import {
  Body,
  Data,
  OrderPath,
  onEveryClass,
  onVaultClasses,
  optional,
  orderIdCode,
  trading,
} from './trading.operation.ts'
import { Order, pageQuery, Side, tradesQuery, UnitsIn } from './trading.schemas.ts'

const own = { ...trading, params: OrderPath, fieldCodes: orderIdCode } as const
const UserPath = Type.Object({ userAddress: Address })
const userCode = { userAddress: 'VALIDATION_ERROR' } as const

export const prepareOrder = defineOperation({
  ...trading,
  id: 'prepareOrder',
  method: 'POST',
  ...onEveryClass('/orders/prepare'),
  scope: 'trading:write',
  summary: 'What a trader has to sign',
  description:
    'Writes nothing. Answers the EIP-712 order in units of the chain, its hash, and whether the funds would do now. `expiry` is seven days ahead, `nonce` the floor of the wallet, `salt` random and `maxFee` what the book can charge and a little more, unless they are sent. A `MARKET` order, without a price, is answered as a limit at the edge of the price band of the book, to be submitted with the fields of `submitAs`.',
  body: Body(termsToPrepare),
  fieldCodes: { ...sideCode, ...termCodes },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: { write: { data: PreparedOrder, errors: prepareErrors } },
})

export const submitOrder = defineOperation({
  ...trading,
  id: 'submitOrder',
  method: 'POST',
  ...onEveryClass('/orders'),
  scope: 'trading:write',
  summary: 'Submit a signed order',
  description:
    'Signature, funds and rules are read from the chain, also for the resting orders that it can reach; then it matches. Answered after all of it is committed. Fills wait as a settlement for the owner of the book to sign.',
  body: Body(signedOrderBody),
  fieldCodes: { ...sideCode, ...termCodes },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: { write: { data: PlacedSignedOrder, errors: submitErrors } },
})

function withoutBook() {
  const { orderBookId: _book, ...rest } = signedOrderBody
  return rest
}

export const submitOrders = defineOperation({
  ...trading,
  id: 'submitOrders',
  method: 'POST',
  ...onEveryClass('/orders/batch'),
  scope: 'trading:write',
  summary: 'Submit up to 100 signed orders',
  description:
    'Orders of one book, one after the other in one commit. Each is taken or refused for itself; `results` are in the order they were sent.',
  largestBody: 512 * 1024,
  body: Body({ orderBookId: Id, orders: Type.Array(Body(withoutBook()), { minItems: 1, maxItems: 100 }) }),
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    write: {
      data: Data({ accepted: Type.Integer(), refused: Type.Integer(), results: Type.Array(BatchResult) }),
      errors: batchErrors,
    },
  },
})

export const submitPriorityOrder = defineOperation({
  ...trading,
  id: 'submitPriorityOrder',
  method: 'POST',
  ...onVaultClasses('/orders/priority'),
  scope: 'trading:write',
  summary: 'Sell seized collateral',
  description:
    'A signed sell that fills at once or ends (IOC), on an own book, outside of the price band. Needs the lending service too. `reason` (LIQUIDATION_PRIORITY unless given) and `liquidatedUser` are kept in `cancelReason`, whatever becomes of the order.',
  body: Body(priorityOrderBody),
  fieldCodes: termCodes,
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: { write: { data: PlacedSignedOrder, errors: priorityErrors } },
})

export const cancelOrder = defineOperation({
  ...own,
  id: 'cancelOrder',
  method: 'DELETE',
  ...onEveryClass('/orders/{orderId}'),
  scope: 'trading:write',
  summary: 'Cancel an order',
  description:
    'Takes it off the book and frees its reservation. The signature stays valid on chain: what was matched before still settles.',
  body: Body({ userAddress: Address }),
  legs: { write: { data: Order, errors: cancelErrors } },
})

export const amendOrder = defineOperation({
  ...own,
  id: 'amendOrder',
  method: 'PATCH',
  ...onEveryClass('/orders/{orderId}'),
  scope: 'trading:write',
  summary: 'Make a resting order smaller',
  description:
    '`quantity` is the whole order, with what is filled of it, and below what it is now: more was not signed. It keeps its place in the queue.',
  body: Body({ userAddress: Address, quantity: UnitsIn }),
  legs: { write: { data: Order, errors: amendErrors } },
})

export const massCancelOrders = defineOperation({
  ...trading,
  id: 'massCancelOrders',
  method: 'POST',
  ...onEveryClass('/orders/mass-cancel'),
  scope: 'trading:write',
  summary: 'Cancel many orders',
  description:
    'Of a wallet, of a wallet on a book, or all orders of your instance on a book; `side` narrows it. Book by book, each in one commit.',
  body: Body({ userAddress: optional(Address), orderBookId: optional(Id), side: optional(Side) }),
  legs: {
    write: {
      data: Data({ cancelled: Type.Integer(), orderIds: Type.Array(Type.String()) }),
      errors: { ...validationErrors, ...bookErrors },
    },
  },
})

const built = { ...builtA, description: Type.String() } as const

export const cancelOrdersOnChain = defineOperation({
  ...trading,
  id: 'cancelOrdersOnChain',
  method: 'POST',
  ...onEveryClass('/orders/cancel-on-chain'),
  scope: 'trading:write',
  summary: 'End signed orders on chain',
  description:
    'Builds `cancelOrders`, which the trader signs: no operator can settle them any more. Ids that are not orders of the wallet are left out. Nothing to confirm; DELETE takes them off the book at once.',
  body: Body({ userAddress: Address, orderIds: Type.Array(Id, { minItems: 1, maxItems: 50 }) }),
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: {
      data: Data({ ...built, orderIds: Type.Array(Type.String()), orderHashes: Type.Array(Type.String()) }),
      errors: cancelOnChainErrors,
    },
  },
})

export const raiseNonceFloor = defineOperation({
  ...trading,
  id: 'raiseNonceFloor',
  method: 'POST',
  ...onEveryClass('/orders/raise-nonce-floor'),
  scope: 'trading:write',
  summary: 'End all signed orders below a nonce on chain',
  description:
    "Builds `raiseNonceFloor` of the book's custody contract, which the trader signs: every order of the wallet there with a nonce below is dead for good.",
  body: Body({ userAddress: Address, orderBookId: Id, nonceFloor: Type.String({ pattern: '^[0-9]{1,20}$' }) }),
  fieldCodes: { nonceFloor: 'INVALID_ORDER_NONCE' },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: { build: { data: Data({ ...built, currentFloor: Type.String() }), errors: nonceFloorErrors } },
})

export const getOrder = defineOperation({
  ...own,
  id: 'getOrder',
  method: 'GET',
  ...onEveryClass('/orders/{orderId}'),
  scope: 'trading:read',
  summary: 'Get an order',
  description: 'With its book and its trades, newest first, at most 100 of each side.',
  legs: { read: { data: SignedOrderDetails, errors: lookupErrors } },
})

export const listUserOrders = defineOperation({
  ...trading,
  id: 'listUserOrders',
  method: 'GET',
  ...onEveryClass('/users/{userAddress}/orders'),
  scope: 'trading:read',
  summary: 'Orders of a wallet',
  description: 'Newest first: `limit` 50 (at most 100), `offset`; `orderBookId` and `status` narrow it.',
  params: UserPath,
  fieldCodes: userCode,
  query: Type.Object({ ...userOrdersQuery, ...pageQuery.properties }),
  legs: { read: { data: UserOrderPage, errors: { ...validationErrors, ...bookErrors } } },
})

export const listUserTrades = defineOperation({
  ...trading,
  id: 'listUserTrades',
  method: 'GET',
  ...onEveryClass('/users/{userAddress}/trades'),
  scope: 'trading:read',
  summary: 'Trades of a wallet',
  description:
    'As maker or taker, whatever became of them, newest first: `limit` 50 (at most 100), `offset`, or `cursor` to go on. `orderBook` is the one the wallet traded on.',
  params: UserPath,
  fieldCodes: userCode,
  query: tradesQuery,
  csv: userTradesCsv,
  legs: { read: { data: UserTradePage, errors: validationErrors } },
})
