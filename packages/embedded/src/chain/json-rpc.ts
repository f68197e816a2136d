import { setTimeout as sleep } from 'node:timers/promises'

/** One JSON-RPC call; enough for starting a node, everything else belongs to the caller's client. */
export async function callRpc(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  })
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (answer.error) throw new Error(`${method} failed: ${answer.error.message}`)
  return answer.result
}

export async function pollChainId(url: string, timeoutMs: number, givenUp: () => boolean): Promise<number | undefined> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline && !givenUp()) {
    try {
      return Number(await callRpc(url, 'eth_chainId'))
    } catch {
      await sleep(20)
    }
  }
  return undefined
}
