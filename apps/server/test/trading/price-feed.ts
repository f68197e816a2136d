import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './self-signed.ts'

export interface PriceFeed {
  readonly host: string
  readonly url: string
  /** Whom to believe that this is the feed. */
  readonly ca: string
  /** Every request so far. */
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  answer: (response: ServerResponse, path: string) => void
  /** What it answers from now on. */
  say(price: unknown): void
  close(): Promise<void>
}

/** A feed over HTTPS on this machine. */
export async function startPriceFeed(): Promise<PriceFeed> {
  const { key, cert } = selfSigned()
  const asked: PriceFeed['asked'] = []
  const server = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers })
    feed.answer(response, path)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const feed: PriceFeed = {
    host,
    url: `https://${host}/quote`,
    ca: cert,
    asked,
    answer: (response) => response.end(),
    say(price) {
      feed.answer = (response) => response.end(JSON.stringify({ data: [{ price }], price }))
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return feed
}
