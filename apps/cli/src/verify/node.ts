import type { AnsweredCall } from '@tallystick/server/clear-signing'
import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  ContractFunctionExecutionError,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  createPublicClient,
  decodeEventLog,
  erc20Abi,
  type Hex,
  HttpRequestError,
  http,
  slice,
  TimeoutError,
} from 'viem'
import type { Move, Simulated } from './judge.rules.ts'

/** ERC-1967: where a proxy keeps its implementation. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

type Views = 'view' | 'pure'

interface SimulatedLog {
  readonly address: Address
  readonly topics: [Hex, ...Hex[]]
  readonly data: Hex
}
interface SimulatedCall {
  readonly status: Hex
  readonly returnData?: Hex
  readonly error?: { readonly message?: string }
  readonly logs?: readonly SimulatedLog[]
}

/** What tokens say of themselves in events: sums that changed hands, and sums that may. */
function movesIn(logs: readonly SimulatedLog[], wanted: 'Transfer' | 'Approval'): Move[] {
  return logs.flatMap(({ address, topics, data }) => {
    try {
      const { args, eventName } = decodeEventLog({ abi: erc20Abi, topics, data })
      if (eventName !== wanted) return []
      const [from, to] = 'from' in args ? [args.from, args.to] : [args.owner, args.spender]
      const token = address.toLowerCase() as Address
      return [{ token, from: from.toLowerCase() as Address, to: to.toLowerCase() as Address, amount: args.value }]
    } catch {
      // Another event, or one of the same name that is made otherwise.
      return []
    }
  })
}

/** A node, asked at one block. What it cannot be asked is thrown; what a contract refuses is null. */
export async function openNode(url: string, timeoutMs: number) {
  const client = createPublicClient({ transport: http(url, { timeout: timeoutMs, retryCount: 1 }) })
  const [chainId, block] = await Promise.all([client.getChainId(), client.getBlock()])
  const at = { blockNumber: block.number }

  async function unlessRefused<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked
    } catch (error) {
      const isUnreachable =
        error instanceof BaseError &&
        error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null
      if (isUnreachable || !(error instanceof ContractFunctionExecutionError)) throw error
      return null
    }
  }

  return {
    chainId,
    block: block.number,

    read: <
      const A extends Abi,
      N extends ContractFunctionName<A, Views>,
      const P extends ContractFunctionArgs<A, Views, N>,
    >(
      address: Address,
      abi: A,
      functionName: N,
      args: P,
    ) =>
      unlessRefused(
        client.readContract({ address, abi, functionName, args, ...at } as never) as Promise<
          ContractFunctionReturnType<A, Views, N, P>
        >,
      ),

    hasCode: async (address: Address) => (await client.getCode({ address, ...at })) !== undefined,

    async implementationBehind(proxy: Address): Promise<Address | null> {
      const word = await client.getStorageAt({ address: proxy, slot: IMPLEMENTATION_SLOT, ...at })
      return word && BigInt(word) !== 0n ? slice(word, 12) : null
    },

    /** Is the code at an address what this creation code leaves at that very address? The node runs the constructor there once more. */
    async standsAsCreated(address: Address, creation: Hex): Promise<boolean> {
      const stands = await client.getCode({ address, ...at })
      const left = await client
        .request({
          method: 'eth_call',
          params: [{ to: address }, 'latest', { [address]: { code: creation } }],
        } as never)
        .catch(() => undefined)
      return stands !== undefined && left === stands
    },

    /** Tries all calls in order; null where nobody knows who signs, or the node cannot. */
    async simulate(calls: readonly AnsweredCall[], from: Address | undefined): Promise<Simulated | null> {
      const sent = calls.map(({ to, data, signer }) => ({ from: from ?? signer, to: to ?? undefined, data }))
      if (sent.some((call) => call.from === null)) return null
      const blockStateCalls = [{ calls: sent }]
      const answer = await client
        .request({ method: 'eth_simulateV1', params: [{ blockStateCalls, validation: false }, 'latest'] } as never)
        .catch(() => null)
      const tried = (answer as { calls: SimulatedCall[] }[] | null)?.[0]?.calls
      if (!tried) return null
      const failed = tried.findIndex(({ status }) => BigInt(status) !== 1n)
      const logs = tried.flatMap((call) => call.logs ?? [])
      return {
        success: failed < 0,
        error:
          failed < 0 ? null : `Call ${failed + 1}: ${tried[failed]?.error?.message ?? tried[failed]?.returnData ?? ''}`,
        moves: movesIn(logs, 'Transfer'),
        allowances: movesIn(logs, 'Approval'),
      }
    },
  }
}

export type NodeReads = Awaited<ReturnType<typeof openNode>>
