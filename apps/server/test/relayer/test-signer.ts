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

interface Web3SignerRequest {
  /** What it was started for: it signs for no other chain, whatever it is asked. */
  readonly chainId: number
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

  async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (method !== 'eth_signTransaction') throw new Error(`asked for ${method}`)
    if (!Array.isArray(params) || params.length !== 1) throw new Error('not one parameter')
    const [asked] = params as [Asked]
    signer.asked.push(Number(asked.nonce))
    const result = signer.behave ? await signer.behave(asked, sign) : await sign(asked)
    const { status = 200, ...told } =
      typeof result === 'object' && result !== null && 'error' in result
        ? (result as { error: unknown; status?: number })
        : { result }
    return { status, body: JSON.stringify({ jsonrpc: '2.0', id, ...told }) }
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
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

const quantity = /^0x(0|[1-9a-f][0-9a-f]*)$/i

/**
 * Web3Signer in its mode `eth1`, as it documents its JSON-RPC interface: one object in `params`; quantities in hex without leading zeros;
 * `from` and `nonce` are needed; the chain is that of its own setting and other fields are ignored; the result is the signed bytes;
 * what it refuses has a status of 4xx and a JSON-RPC error.
 */
export async function startWeb3Signer(privateKey: Hex, { chainId }: Web3SignerRequest): Promise<TestSigner> {
  const signer = await startTestSigner(privateKey)
  const refusal = (code: number, message: string) => ({ error: { code, message }, status: 400 })
  signer.behave = async (asked, sign) => {
    const { from, gas, value, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = asked
    const given = [gas, value, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas].filter((one) => one !== undefined)
    if (nonce === undefined || !given.every((one) => quantity.test(one))) return refusal(-32602, 'Invalid params')
    if (from?.toLowerCase() !== signer.account.address.toLowerCase())
      return refusal(-32000, 'No unlocked account matches the Sender')
    return sign({ ...asked, chainId: `0x${chainId.toString(16)}` })
  }
  return signer
}
