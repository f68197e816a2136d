import { Agent, type ClientRequest, request } from 'node:http'
import { type CustomTransport, custom, HttpRequestError, RpcRequestError, stringify } from 'viem'

const agent = new Agent({ keepAlive: true })

/** The JSON that a server on this machine answers. Tests ask their nodes a hundred thousand times: `fetch` would take most of it. */
export function postJson(url: string, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(url, { method: 'POST', agent, headers }, (answered) => {
      const chunks: Buffer[] = []
      answered.on('data', (chunk: Buffer) => chunks.push(chunk))
      answered.on('error', reject)
      answered.on('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')))
        } catch (error) {
          reject(error)
        }
      })
    })
    asked.on('error', (error) => (wasClosed(asked, error) ? resolve(postJson(url, body)) : reject(error)))
    asked.end(body)
  })
}

/** A connection that was kept open may end just when it is used again. */
const wasClosed = ({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException) =>
  reusedSocket && error.code === 'ECONNRESET'

/** What viem asks a node on this machine through. Fails as its own `http` does. */
export const nodeTransport = (url: string): CustomTransport =>
  custom({
    async request(body: { method: string; params?: unknown }) {
      const answer = await postJson(url, stringify({ jsonrpc: '2.0', id: 1, ...body })).catch((cause: Error) => {
        throw new HttpRequestError({ body, cause, url })
      })
      const { error, result } = answer as { error?: { code: number; message: string }; result?: unknown }
      if (error) throw new RpcRequestError({ body, error, url })
      return result
    },
  })
