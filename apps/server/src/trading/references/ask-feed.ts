import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { OutgoingTarget } from '../../platform/outgoing/outgoing-targets.ts'
import { pinned } from '../../platform/outgoing/pinned-lookup.ts'
import { FeedError } from './feed-answer.rules.ts'

const LARGEST_ANSWER_BYTES = 64 * 1024

interface AskOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Whom to believe beside the usual authorities. */
  readonly ca?: string | undefined
}

function reasonOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return 'the feed did not answer in time'
  return `the feed cannot be reached (${code ?? name})`
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_ANSWER_BYTES) throw new FeedError('the feed answered more than 64 KB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** One GET of a checked target. Where a redirect leads was not checked: it counts as a failure like any other answer but 200. */
export async function askFeed({ url, addresses }: OutgoingTarget, options: AskOptions): Promise<string> {
  const { headers, timeoutMs, ca } = options
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = open(url, {
        method: 'GET',
        agent: false,
        lookup: pinned(addresses),
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Tallystick', ...headers },
        ...(ca === undefined ? {} : { ca }),
      })
      request.once('response', resolve)
      request.once('error', reject)
      // Closed without a word, as after a switch to another protocol.
      request.once('close', () => reject(new FeedError('the feed closed the connection')))
      request.end()
    })
    if (response.statusCode !== 200) {
      response.destroy()
      throw new FeedError(`the feed answered ${response.statusCode ?? 'nothing'}`)
    }
    return await bodyOf(response)
  } catch (error) {
    throw error instanceof FeedError ? error : new FeedError(reasonOf(error), { cause: error })
  }
}
