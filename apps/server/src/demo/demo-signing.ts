import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, createPublicClient, type Hex, http, parseGwei } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

export interface DemoCall {
  /** Absent: creates a contract. */
  readonly to?: Address
  readonly data: Hex
  readonly gas?: bigint
}

export interface Mined {
  readonly hash: Hex
  readonly contractAddress: Address | null
}

const DEFAULT_GAS = 1_000_000n
/** Far above what the local node asks, whatever its blocks were filled with. */
const maxFeePerGas = parseGwei('50')
const POLL_MS = 15
const PATIENCE_MS = 30_000

/** Of every account of a node, whoever signs for it: two at once would take the same nonce. */
const lastOf = new Map<string, Promise<unknown>>()

/** Signs with development keys. Calls of one account go out together, in order; only the last step waits for the chain. */
export function createDemoSigning(rpcUrl: string) {
  const client = createPublicClient({ chain: foundry, transport: http(rpcUrl) })

  async function broadcast(account: PrivateKeyAccount, calls: readonly DemoCall[]): Promise<Hex[]> {
    const first = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    const hashes: Hex[] = []
    for (const [index, { to, data, gas = DEFAULT_GAS }] of calls.entries()) {
      const serializedTransaction = await account.signTransaction({
        type: 'eip1559',
        chainId: foundry.id,
        nonce: first + index,
        ...(to ? { to } : {}),
        data,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas: parseGwei('1'),
      })
      hashes.push(await client.sendRawTransaction({ serializedTransaction }))
    }
    return hashes
  }

  function inTurn(account: PrivateKeyAccount, calls: readonly DemoCall[]): Promise<Hex[]> {
    const key = `${rpcUrl} ${account.address}`
    const before = lastOf.get(key) ?? Promise.resolve()
    const sent = before.then(() => broadcast(account, calls))
    lastOf.set(
      key,
      sent.catch(() => {}),
    )
    return sent
  }

  async function mined(hash: Hex): Promise<Mined> {
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
      if (receipt?.status === '0x0') throw new Error(`a transaction of the demo failed: ${hash}`)
      if (receipt) return { hash, contractAddress: (receipt.contractAddress?.toLowerCase() ?? null) as Address | null }
      await sleep(POLL_MS)
    }
    throw new Error(`a transaction of the demo was not mined: ${hash}`)
  }

  return {
    client,

    async sendAll(account: PrivateKeyAccount, calls: readonly DemoCall[]): Promise<Mined[]> {
      if (calls.length === 0) return []
      const hashes = await inTurn(account, calls)
      return Promise.all(hashes.map(mined))
    },
  }
}
