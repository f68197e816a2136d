import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { Incoming } from './incoming.ts'
import { isSameSecret } from './same-secret.ts'

/** What a server asks for that wants to pass requests on, under the path of the line and with the secret of the deployment. */
export const PROTOCOL = 'tallystick-line'
export const LINE_PATH = '/peers/line'
const SECRET_HEADER = 'x-tally-peer'

/** A request as it goes over the line, with a number that its answer comes back with. */
export interface PassedRequest
  extends Pick<Incoming, 'id' | 'ip' | 'protocol' | 'method' | 'url' | 'headers' | 'params' | 'query' | 'body'> {
  readonly number: number
  readonly operation: string
  /** How many servers passed it on, the one that asks among them. Servers of the release before do not say it. */
  readonly hops?: number
  /** The path as it was mounted. */
  readonly route: string | undefined
  readonly traceId: string | undefined
}

interface PassedAnswer {
  readonly number: number
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** An operation that the other one does not know: one of the two is older. */
interface NotTaken {
  readonly number: number
  readonly isNotTaken: true
}

/** No new requests, please; those under way are answered. */
interface Goodbye {
  readonly isGoodbye: true
}

/** What the server that serves says to the one that asks. */
export type Said = PassedAnswer | NotTaken | Goodbye

/** Nobody waits for an answer any longer: whoever serves refuses what waited for more than five seconds. */
export const LONGEST_WAIT_MS = 6_000

export const secretHeaders = (secret: string) => ({ [SECRET_HEADER]: secret })

export function hasSecret({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  const said = headers[SECRET_HEADER]
  return typeof said === 'string' && isSameSecret(said, secret)
}

/** More than any body that an operation takes, with what goes along. */
const LONGEST_MESSAGE = 64 * 1024 * 1024
/** Between two writes, when there is much to say. */
const MOMENT_MS = 1
/** A machine that is lost says nothing. */
const ASK_SILENT_AFTER_MS = 5_000

export interface Line<Out> {
  send(message: Out): void
  /** Once everything is sent. */
  end(): void
  destroy(): void
}

/** One connection between two servers, for any number of messages at once: each is JSON on a line of its own. */
export function createLine<In, Out>(
  socket: Socket,
  rest: Buffer,
  on: { readonly message: (message: In) => void; readonly closed: () => void },
): Line<Out> {
  const decoder = new StringDecoder('utf8')
  let unread = ''
  let unsent = ''
  let sentAt = 0

  function read(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const line = unread + text.slice(from, end)
      unread = ''
      from = end + 1
      on.message(JSON.parse(line) as In)
    }
    unread += text.slice(from)
    if (unread.length > LONGEST_MESSAGE) socket.destroy()
  }

  function flush(): void {
    const text = unsent
    unsent = ''
    sentAt = performance.now()
    if (text !== '' && socket.writable) socket.write(text)
  }

  /** At once for whoever comes alone. Under load, what a moment brings goes together: to write costs more than what is written. */
  function later(work: () => void): void {
    if (performance.now() - sentAt >= MOMENT_MS) setImmediate(work)
    else setTimeout(work, MOMENT_MS)
  }

  if (rest.length > 0) socket.unshift(rest)
  socket.setTimeout(0)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, ASK_SILENT_AFTER_MS)
  socket.on('data', (bytes: Buffer) => {
    try {
      read(decoder.write(bytes))
    } catch {
      // Nobody who has the secret sends this; whatever it is, what follows cannot be read either.
      socket.destroy()
    }
  })
  socket.on('end', () => socket.end())
  // Told by the end of the connection.
  socket.on('error', () => undefined)
  socket.once('close', on.closed)
  return {
    send(message) {
      if (unsent === '') later(flush)
      unsent += `${JSON.stringify(message)}\n`
    },
    end() {
      flush()
      socket.end()
    },
    destroy: () => socket.destroy(),
  }
}
