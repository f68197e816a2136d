import type { FillRecord } from '@tallystick/wire'
import { partyOf } from '../unit/index.rules.ts'
import { isTradeEvent, type TradeEvent, type TradeRows, tradeAfter } from './trade-news.rules.ts'
import type { Entry } from './unit-picture.rules.ts'

/** Behind one event of one journal entry; an endless index is behind all of the entry. */
export interface Place {
  readonly sequence: number
  readonly index: number
}

export const behind = (sequence: number): Place => ({ sequence, index: Number.POSITIVE_INFINITY })

export const isBehind = (place: Place, than: Place): boolean =>
  place.sequence === than.sequence ? place.index > than.index : place.sequence > than.sequence

/** The first entry that may hold something behind the place: the entry of the place itself may have more than was seen. */
export const firstAfter = ({ sequence, index }: Place): number => (Number.isFinite(index) ? sequence : sequence + 1)

/** `12.3` is the event with index 3 of entry 12, `12` all of it. */
export const idOf = ({ sequence, index }: Place): string =>
  Number.isFinite(index) ? `${sequence}.${index}` : `${sequence}`

/** Null: not an id. */
export function placeOf(id: string): Place | null {
  const [, sequence, index] = /^([0-9]{1,15})(?:\.([0-9]{1,9}))?$/.exec(id) ?? []
  if (sequence === undefined) return null
  return index === undefined ? behind(Number(sequence)) : { sequence: Number(sequence), index: Number(index) }
}

export interface OwnEvent {
  readonly place: Place
  readonly event: TradeEvent
  readonly own: FillRecord['own']
}

const KINDS = { trade: 'TRADE', tradeSettled: 'CONFIRMED', tradeFailed: 'FAILED' } as const

/** Trades, and outcomes of trades, in which the instance has a side. */
export function ownEvents(entries: readonly Entry[], instanceId: string): OwnEvent[] {
  return entries.flatMap(({ number, events }) =>
    events.flatMap((event, index) => {
      if (!isTradeEvent(event)) return []
      const own: FillRecord['own'] = []
      if (partyOf(event.makerAccount).instanceId === instanceId) own.push('MAKER')
      if (partyOf(event.takerAccount).instanceId === instanceId) own.push('TAKER')
      return own.length === 0 ? [] : [{ place: { sequence: number, index }, event, own }]
    }),
  )
}

export const asFill = ({ place, event, own }: OwnEvent, rows: TradeRows): FillRecord => ({
  type: 'fill',
  id: idOf(place),
  event: KINDS[event.kind],
  own,
  trade: tradeAfter(event, rows),
})
