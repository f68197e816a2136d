import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OtherSite {
  /** By name: to a browser another site than 127.0.0.1. */
  readonly foreign: string
  /** By number: the same site, but another origin. */
  readonly neighbour: string
  stop(): Promise<void>
}

/** A page of somebody else, on this machine. */
export async function openOtherSite(html: string): Promise<OtherSite> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    foreign: `http://localhost:${port}/`,
    neighbour: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // A browser keeps connections that it has asked nothing on.
        server.closeAllConnections()
      }),
  }
}
