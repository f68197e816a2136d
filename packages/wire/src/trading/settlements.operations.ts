import { Type } from 'typebox'
import { transactionErrors, validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import type { ErrorTable } from '../operation.ts'
import { Hash, Id } from '../primitives.ts'
import {
  ConfirmedSettlement,
  PendingSettlement,
  SettledAlready,
  Settlement,
  SettlementCalldata,
  SkippedTrade,
} from './settlements.schemas.ts'
import { idErrors } from './trading.errors.ts'
import { Body, Data, onEveryClass, optional, trading } from './trading.operation.ts'

const SettlementPath = Type.Object({ settlementId: Id })
const settlementIdCode = { settlementId: 'INVALID_PARAM' } as const
const one = { ...trading, params: SettlementPath, fieldCodes: settlementIdCode } as const

const notFound = {
  ...idErrors,
  SETTLEMENT_NOT_FOUND: {
    status: 404,
    message: 'There is no such settlement of this class that concerns your instance.',
  },
} as const satisfies ErrorTable

const skipped = Type.Object({ skipped: optional(Type.Array(SkippedTrade)) })

const notBuildable = {
  SETTLEMENT_NOT_BUILDABLE: {
    status: 409,
    message: 'Nothing of this settlement can be settled now, or it is not yours to settle.',
    extra: skipped,
  },
} as const satisfies ErrorTable

export const listPendingSettlements = defineOperation({
  ...trading,
  id: 'listPendingSettlements',
  method: 'GET',
  ...onEveryClass('/settlements/pending'),
  scope: 'trading:read',
  summary: 'Settlements that wait for you',
  description:
    'Of your own books, oldest first, at most 25. A settlement groups the fills of one order on one book; what is settled of it already is left out.',
  query: Type.Object({ orderBookId: optional(Id), limit: optional(Type.String()) }),
  fieldCodes: { orderBookId: 'INVALID_PARAM' },
  legs: { read: { data: Data({ settlements: Type.Array(PendingSettlement) }), errors: idErrors } },
})

export const getSettlement = defineOperation({
  ...one,
  id: 'getSettlement',
  method: 'GET',
  ...onEveryClass('/settlements/{settlementId}'),
  scope: 'trading:read',
  summary: 'A settlement',
  description: 'For the owner of the book and for both parties of its trades.',
  legs: { read: { data: Settlement, errors: notFound } },
})

export const getSettlementCalldata = defineOperation({
  ...one,
  id: 'getSettlementCalldata',
  method: 'GET',
  ...onEveryClass('/settlements/{settlementId}/calldata'),
  scope: 'trading:write',
  summary: 'What the operator signs',
  description:
    'One transaction for everything that can settle now; each trade is simulated for itself. What cannot settle now is skipped, and what can never settle any more is taken back from both orders, both listed in `skipped`. Asked again, it is built anew for whoever operates then.',
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    build: {
      data: Type.Union([SettlementCalldata, SettledAlready]),
      errors: {
        ...validationErrors,
        ...notFound,
        ...notBuildable,
        SETTLEMENT_REJECTED: {
          status: 409,
          message: 'The trades of this settlement can never settle.',
          extra: Type.Object({ reason: Type.String(), ...skipped.properties }),
        },
        SETTLEMENT_OPERATOR_UNAUTHORIZED: {
          status: 409,
          message: 'The custody contract knows no operator among your wallets, or not the one of the book.',
          extra: Type.Object({ settlementOperator: optional(Type.String()) }),
        },
        DELIVERY_NOT_ALLOWED: {
          status: 409,
          message: 'The rules of the token do not allow the delivery now.',
          extra: Type.Object({ reason: Type.String(), ...skipped.properties }),
        },
        CHAIN_UNAVAILABLE: transactionErrors.CHAIN_UNAVAILABLE,
      },
    },
  },
})

export const confirmSettlement = defineOperation({
  ...one,
  id: 'confirmSettlement',
  method: 'POST',
  ...onEveryClass('/settlements/{settlementId}/confirm'),
  scope: 'trading:write',
  summary: 'Report the transaction that settled',
  description:
    'Each trade is proven by the events of the custody contract, whether it was called directly, by a Safe or by a multicall. Until the block is final the settlement says PROCESSING; nothing has to be reported again then. Trades that the transaction did not settle stay pending.',
  body: Body({ txHash: Hash }),
  legs: { confirm: { data: ConfirmedSettlement, errors: { ...notFound, ...notBuildable, ...transactionErrors } } },
})
