import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'

/** What can keep a stream from starting, beside what the route itself checks. Later it ends with a message that says why. */
export const streamErrors = {
  NOT_ACCEPTABLE: {
    status: 406,
    message: 'This route streams. Ask with `Accept: text/event-stream`, or open a WebSocket on it.',
  },
  STREAM_TICKET_INVALID: {
    status: 401,
    message: 'This ticket is unknown, used, expired, or for another stream. Make a new one.',
  },
  STREAM_LIMIT_REACHED: {
    status: 429,
    retry: true,
    message: 'This API key has as many streams open as it may. End one first.',
  },
} as const satisfies ErrorTable

/** Of streams that go on from an id. */
export const historyErrors = {
  HISTORY_ARCHIVED: {
    status: 410,
    message: 'What came behind this id was archived. The stream goes on from `oldest`; the operator has the rest.',
    extra: Type.Object({ oldest: Type.String({ description: 'The earliest id that `after` may be.' }) }),
  },
} as const satisfies ErrorTable
