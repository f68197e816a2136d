import { Type } from 'typebox'
import { defineOperation } from '../../define-operation.ts'
import { Instant, Nullable, OneOf } from '../../primitives.ts'
import { historyErrors, streamErrors } from '../../streams/stream.errors.ts'
import { StreamEnd, StreamHeartbeat, streamQuery } from '../../streams/stream.schemas.ts'
import { Data, onStocks, optional, trading } from '../trading.operation.ts'
import { statusErrors } from './rfq.errors.ts'
import { Quote, RfqWithoutQuotes } from './rfq.schemas.ts'

const NoticeId = Type.String({ pattern: '^[0-9]{1,18}$', description: 'To go on from, as `after`.' })

const Notice = Data({
  type: Type.Literal('notice'),
  id: NoticeId,
  kind: OneOf(['RFQ', 'QUOTE'] as const),
  rfqId: Type.String(),
  quoteId: Nullable(Type.String()),
  status: Type.String({ description: 'Of the request, or of the quote.' }),
  record: Type.Union([RfqWithoutQuotes, Quote], { description: 'The request or the quote as it was then.' }),
  createdAt: Instant,
})
const Ready = Data({ type: Type.Literal('ready'), id: NoticeId })

export const streamRfqs = defineOperation({
  ...trading,
  id: 'streamRfqs',
  method: 'GET',
  ...onStocks('/rfq/stream'),
  scope: 'trading:read',
  summary: 'Follow requests for quote',
  description:
    'Every request of the instance and every quote on one, whenever it changes. Goes on after the id in `Last-Event-ID` or `after`, without loss or doubling; `after=0` is the beginning, none is now.',
  query: Type.Object({ after: optional(NoticeId), ...streamQuery }),
  fieldCodes: { after: 'INVALID_PARAM' },
  stream: true,
  legs: {
    read: {
      data: Type.Union([Ready, Notice, StreamHeartbeat, StreamEnd]),
      errors: { ...statusErrors, ...streamErrors, ...historyErrors },
    },
  },
})
