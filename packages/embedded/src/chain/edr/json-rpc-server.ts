import type { IncomingMessage, ServerResponse } from 'node:http'
import { asRpcFault, RpcFault } from './rpc-fault.ts'

export type Answer = (method: string, params: readonly unknown[]) => Promise<unknown>

interface Request {
  id?: unknown
  method?: unknown
  params?: unknown
}

async function answerOne(request: Request, answer: Answer): Promise<object> {
  const id = request?.id ?? null
  try {
    if (typeof request?.method !== 'string') throw new RpcFault(-32_600, 'a request names its method')
    const params = Array.isArray(request.params) ? request.params : []
    return { jsonrpc: '2.0', id, result: (await answer(request.method, params)) ?? null }
  } catch (error) {
    const { code, message, data } = asRpcFault(error)
    return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
  }
}

async function answerText(text: string, answer: Answer): Promise<object> {
  let request: Request | Request[]
  try {
    request = JSON.parse(text) as Request | Request[]
  } catch {
    return { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'this is no JSON' } }
  }
  // All at once: whoever writes keeps the order of arrival.
  return Array.isArray(request) ? Promise.all(request.map((one) => answerOne(one, answer))) : answerOne(request, answer)
}

/** One HTTP request: a call, or several. */
export function answerBody(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    void answerText(Buffer.concat(parts).toString('utf8'), answer).then((answered) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answered))
    })
  })
}

/** Pages of any origin may ask, as with anvil: a wallet in a browser and a page of somebody who tries the SDK. True: they asked whether. */
export function letPagesAsk(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*')
  if (request.method !== 'OPTIONS') return false
  response.setHeader('access-control-allow-headers', 'content-type')
  response.setHeader('access-control-allow-methods', 'GET,POST')
  response.writeHead(200).end()
  return true
}
