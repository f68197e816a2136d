import type { ErrorTable } from '../operation.ts'

/** What can keep a stream from starting, beside what the route itself checks. Later it ends with a message that says why. */
export const streamErrors = {
  NOT_ACCEPTABLE: {
    status: 406,
    message: 'This route streams. Ask with `Accept: text/event-stream`, or open a WebSocket on it.',
  },
  STREAM_LIMIT_REACHED: {
    status: 429,
    retry: true,
    message: 'This API key has as many streams open as it may. End one first.',
  },
} as const satisfies ErrorTable
