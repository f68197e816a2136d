import { createServer, type IncomingMessage } from 'node:http'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

interface Asked {
  from: Hex
  to: Hex
  data: Hex
  value: Hex
  gas: Hex
  nonce: Hex
  chainId: Hex
  gasPrice?: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
}

export interface TestSigner {
  readonly url: string
  readonly account: PrivateKeyAccount
  /** Nonces that it was asked to sign for. */
  readonly asked: number[]
  /** What it does instead of signing what it was asked to. */
  behave: ((transaction: Asked, sign: (other: Asked) => Promise<Hex>) => Promise<unknown>) | undefined
  stop(): Promise<void>
}

/** A signer as a vault runs it: a server of its own that has the key, and speaks JSON-RPC. */
export async function startTestSigner(privateKey: Hex): Promise<TestSigner> {
  const account = privateKeyToAccount(privateKey)

  function sign(asked: Asked): Promise<Hex> {
    const { to, data, value, gas, nonce, chainId, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = asked
    const content = { to, data, value: BigInt(value), gas: BigInt(gas), nonce: Number(nonce), chainId: Number(chainId) }
    return gasPrice
      ? account.signTransaction({ ...content, type: 'legacy', gasPrice: BigInt(gasPrice) })
      : account.signTransaction({
          ...content,
          type: 'eip1559',
          maxFeePerGas: BigInt(maxFeePerGas ?? 0),
          maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
        })
  }

  async function answer(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (method !== 'eth_signTransaction') throw new Error(`asked for ${method}`)
    const [asked] = params as [Asked]
    signer.asked.push(Number(asked.nonce))
    const result = signer.behave ? await signer.behave(asked, sign) : await sign(asked)
    const told = typeof result === 'object' && result !== null && 'error' in result ? result : { result }
    return JSON.stringify({ jsonrpc: '2.0', id, ...told })
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const signer: TestSigner = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    account,
    asked: [],
    behave: undefined,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return signer
}
