import { envelopeOf } from './envelope.ts'
import type { AnswerOf, Bound } from './method.ts'
import type { PlainShape, RequestShape } from './operation.ts'
import type { CallOptions } from './transport.ts'

type QueryOf<S extends PlainShape> = S['request'] extends { query?: infer Query } ? NonNullable<Query> : never
/** Allows only operations whose list goes on: by `cursor`, or by `offset`. */
type Goes<S extends PlainShape> = [Extract<keyof QueryOf<S>, 'cursor' | 'offset'>] extends [never] ? never : unknown

/** What pages say about themselves, in the data or beside it. */
interface Place {
  readonly nextCursor?: string | null
  readonly hasMore?: boolean
  readonly total?: number
  readonly offset?: number
  readonly limit?: number
}

/** Some pages hold two lists that go on together. */
function entriesIn(data: unknown): number {
  const lists = Array.isArray(data) ? [data] : Object.values(data ?? {}).filter(Array.isArray)
  return Math.max(0, ...lists.map((list: readonly unknown[]) => list.length))
}

/** The query of the next page; null: this was the last one. */
function nextOf(
  data: unknown,
  place: Place,
  asked: { offset?: unknown },
): { cursor: string } | { offset: number } | null {
  const count = entriesIn(data)
  if (count === 0 || place.hasMore === false) return null
  if (place.nextCursor !== undefined) return place.nextCursor === null ? null : { cursor: place.nextCursor }
  const next = (place.offset ?? Number(asked.offset ?? 0)) + count
  const isLast = place.total === undefined ? place.hasMore !== true && count < (place.limit ?? 1) : next >= place.total
  return isLast ? null : { offset: next }
}

/** Every page, one request each, as long as there are more. */
export async function* pages<S extends PlainShape>(
  method: Bound<S> & Goes<S>,
  request: S['request'],
  options: CallOptions = {},
): AsyncGenerator<AnswerOf<S>, void, undefined> {
  const own: RequestShape = request
  let query: Record<string, unknown> = { ...own.query }
  for (;;) {
    const answer = await envelopeOf(await method.transport.send(method.operation, { ...own, query }, options))
    yield answer as AnswerOf<S>
    const beside = (answer as { pagination?: Place }).pagination
    const next = nextOf(
      answer.data,
      { ...(Array.isArray(answer.data) ? {} : (answer.data as Place)), ...beside },
      query,
    )
    if (!next) return
    // Whoever goes on by cursor has left the offset behind.
    const { offset: _offset, cursor: _cursor, ...rest } = query
    query = { ...rest, ...next }
  }
}

/** Every entry of every page: `items(method, request, ({ data }) => data.positions)`. */
export async function* items<S extends PlainShape, T>(
  method: Bound<S> & Goes<S>,
  request: S['request'],
  listOf: (answer: AnswerOf<S>) => readonly T[],
  options: CallOptions = {},
): AsyncGenerator<T, void, undefined> {
  for await (const answer of pages(method, request, options)) yield* listOf(answer)
}
