import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../primitives.ts'
import { StreamEnd, StreamHeartbeat, streamQuery } from '../streams/stream.schemas.ts'
import { Data } from './trading.operation.ts'
import { bookStatuses, Trade, Units } from './trading.schemas.ts'

const Sequence = Type.String({ pattern: '^[0-9]+$', description: 'Place in the journal of the matching unit.' })
const HeadHash = Type.String({ description: 'The hash chain of the journal up to there.' })

const Level = Data({
  price: Units,
  quantity: Type.String({ pattern: '^(0|[1-9][0-9]*)$', description: 'What stands there now; 0: the level is gone.' }),
  orderCount: Type.Integer(),
})
const Outcome = Data({
  tradeId: Type.String(),
  settlementStatus: OneOf(['CONFIRMED', 'FAILED'] as const),
  settlementError: Nullable(Type.String()),
})

const news = {
  headHash: HeadHash,
  status: OneOf(bookStatuses),
  auctionId: Nullable(Type.String({ description: 'The auction that collects orders now.' })),
  bids: Type.Array(Level),
  asks: Type.Array(Level),
  trades: Type.Array(Trade, { description: 'As printed, oldest first.' }),
  outcomes: Type.Array(Outcome, { description: 'Of trades that were printed before.' }),
  checksum: Type.String({
    pattern: '^[0-9a-f]{8}$',
    description:
      'CRC-32 of `<bids>|<asks>`: the 25 best levels of each side, best first, each `price:quantity:orderCount`, joined by commas.',
  }),
}

const BookSnapshot = Data({
  type: Type.Literal('snapshot'),
  orderBookId: Type.String(),
  sequence: Sequence,
  isPooled: Type.Boolean({ description: 'The levels are those of the whole pool.' }),
  ...news,
})
export type BookSnapshotRecord = Static<typeof BookSnapshot>

const BookUpdate = Data({
  type: Type.Literal('update'),
  firstSequence: Type.String({ pattern: '^[0-9]+$', description: 'One above the last of the message before.' }),
  lastSequence: Sequence,
  ...news,
})
export type BookUpdateRecord = Static<typeof BookUpdate>

export const BookMessage = Type.Union([BookSnapshot, BookUpdate, StreamHeartbeat, StreamEnd])

const FillId = Type.String({ pattern: '^[0-9]{1,15}(\\.[0-9]{1,9})?$', description: 'To go on from, as `after`.' })
const Ready = Data({ type: Type.Literal('ready'), id: FillId })
const Fill = Data({
  type: Type.Literal('fill'),
  id: FillId,
  event: OneOf(['TRADE', 'CONFIRMED', 'FAILED'] as const, { description: 'The trade itself, or what became of it.' }),
  own: Type.Array(OneOf(['MAKER', 'TAKER'] as const), { description: 'The sides that your instance has in it.' }),
  trade: Trade,
})
export type FillRecord = Static<typeof Fill>

export const FillMessage = Type.Union([Ready, Fill, StreamHeartbeat, StreamEnd])

export const fillsQuery = Type.Object({ after: Type.Optional(FillId), ...streamQuery })
