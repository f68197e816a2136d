import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  BaseError,
  createPublicClient,
  type Hex,
  HttpRequestError,
  http,
  keccak256,
  parseGwei,
  TimeoutError,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

export interface DemoCall {
  /** Absent: creates a contract. */
  readonly to?: Address
  readonly data: Hex
  readonly value?: bigint
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
/** Longer than a busy machine takes. */
const PATIENCE_MS = 120_000
/** So many others may take the nonce first, or so many answers be lost. */
const OFFERS = 10

/** Of every account of a node, whoever signs for it: two at once would take the same nonce. */
const lastOf = new Map<string, Promise<unknown>>()
/** The nonces that come next, and the transactions before them. A node that lags behind names nonces again that are used. */
const nextOf = new Map<string, { readonly nonce: number; readonly after: Hex }>()

const isLost = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((one) => one instanceof HttpRequestError || one instanceof TimeoutError) !== null

/** A node that restarts answers nothing for a while. */
function unlessAway(error: unknown): null {
  if (isLost(error)) return null
  throw error
}

/** Signs with development keys. Calls of one account go out together, in order; only the last step waits for the chain. */
export function createDemoSigning(rpcUrl: string) {
  const client = createPublicClient({ chain: foundry, transport: http(rpcUrl) })

  /** Whether the node has it; false: somebody else took its nonce. */
  async function offer(serializedTransaction: Hex): Promise<boolean> {
    for (let offers = 1; ; offers += 1) {
      try {
        await client.sendRawTransaction({ serializedTransaction })
        return true
      } catch (error) {
        const isTaken = /nonce too low|replacement transaction underpriced/i.test(String(error))
        // Offered before, and the answer was lost: what used the nonce is most likely this one, and signing again could do it twice.
        if (offers > 1 && (isTaken || /already/i.test(String(error)))) return true
        if (isTaken) return false
        if (offers === OFFERS || !isLost(error)) throw error
        await sleep(POLL_MS)
      }
    }
  }

  async function send(account: PrivateKeyAccount, call: DemoCall, from: number) {
    const { to, data, gas = DEFAULT_GAS } = call
    // Answers carry it as text, and a text would be signed as a byte of zero, which no node decodes.
    const value = BigInt(call.value ?? 0n)
    for (let nonce = from; ; nonce += 1) {
      const signed = await account.signTransaction({
        type: 'eip1559',
        chainId: foundry.id,
        nonce,
        ...(to ? { to } : {}),
        data,
        value,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas: parseGwei('1'),
      })
      // The visitors of the demo sign with the same keys.
      if (await offer(signed)) return { hash: keccak256(signed), nonce }
      if (nonce === from + OFFERS) throw new Error(`the nonces of ${account.address} are taken faster than it signs`)
    }
  }

  async function nextNonce({ address }: PrivateKeyAccount, key: string): Promise<number> {
    const counted = await client.getTransactionCount({ address, blockTag: 'pending' })
    const kept = nextOf.get(key)
    if (!kept || kept.nonce <= counted) return counted
    // Undone with its block and forgotten: what is signed with a later nonce would wait for it for ever.
    const before = await client.request({ method: 'eth_getTransactionByHash', params: [kept.after] })
    return before === null ? counted : kept.nonce
  }

  async function broadcast(account: PrivateKeyAccount, calls: readonly DemoCall[], key: string): Promise<Hex[]> {
    let next = await nextNonce(account, key)
    const hashes: Hex[] = []
    for (const call of calls) {
      const { hash, nonce } = await send(account, call, next)
      hashes.push(hash)
      next = nonce + 1
      nextOf.set(key, { nonce: next, after: hash })
    }
    return hashes
  }

  const keyOf = (account: PrivateKeyAccount) => `${rpcUrl} ${account.address}`

  function inTurn(account: PrivateKeyAccount, calls: readonly DemoCall[]): Promise<Hex[]> {
    const key = keyOf(account)
    const before = lastOf.get(key) ?? Promise.resolve()
    const sent = before.then(() => broadcast(account, calls, key))
    lastOf.set(
      key,
      sent.catch(() => {}),
    )
    return sent
  }

  async function mined(hash: Hex): Promise<Mined> {
    const startedAt = performance.now()
    while (performance.now() - startedAt < PATIENCE_MS) {
      const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] }).catch(unlessAway)
      if (receipt?.status === '0x0') throw new Error(`a transaction of the demo failed: ${hash}`)
      if (receipt) return { hash, contractAddress: (receipt.contractAddress?.toLowerCase() ?? null) as Address | null }
      await sleep(POLL_MS)
    }
    throw new Error(`a transaction of the demo was not mined: ${hash}`)
  }

  return {
    client,

    /** Does not wait for a block. */
    send: (account: PrivateKeyAccount, calls: readonly DemoCall[]): Promise<Hex[]> => inTurn(account, calls),

    async sendAll(account: PrivateKeyAccount, calls: readonly DemoCall[]): Promise<Mined[]> {
      if (calls.length === 0) return []
      const hashes = await inTurn(account, calls)
      try {
        return await Promise.all(hashes.map(mined))
      } catch (error) {
        // What is not mined leaves a gap, which only the node knows.
        nextOf.delete(keyOf(account))
        throw error
      }
    },
  }
}
