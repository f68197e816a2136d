import type { OperationSpec, RequestShape } from '../operation.ts'
import { TallyConnectionError } from '../tally-error.ts'
import type { Transport } from '../transport.ts'

/** Two heartbeats and a half: a connection that is silent for longer is dead, whatever TCP thinks. */
export const SILENCE_MS = 40_000

export interface ReadOptions {
  readonly signal?: AbortSignal
  readonly silenceMs?: number
}

/** The data of the events in a piece of text, and what is left of it: the beginning of the next one. */
export function splitEvents(text: string): { data: string[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const data = blocks.map((block) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).replace(/^ /, ''))
      .join('\n'),
  )
  return { data: data.filter((one) => one !== ''), rest }
}

/** Server-sent events of one connection, until either side ends it. A connection that breaks throws. */
export async function* readEvents(
  transport: Transport,
  operation: OperationSpec,
  request: RequestShape,
  { signal, silenceMs = SILENCE_MS }: ReadOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const silence = new AbortController()
  const hear = () => setTimeout(() => silence.abort(new Error(`nothing came for ${silenceMs} ms`)), silenceMs)
  let timer = hear()
  const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  try {
    const response = await transport.open(operation, request, { accept: 'text/event-stream' }, either)
    if (!response.body) return
    // By hand: not every browser can iterate over a stream.
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(timer)
      timer = hear()
      const { data, rest } = splitEvents(text + read.value)
      text = rest
      for (const one of data) yield JSON.parse(one)
    }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof Error && cause.name === 'TallyError') throw cause
    throw new TallyConnectionError(operation.id, undefined, cause)
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}
