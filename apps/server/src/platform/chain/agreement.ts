import type { Hex } from 'viem'
import { asBlock, type Block, getBlock } from './block.ts'
import type { Rpc, RpcEndpoint } from './rpc.ts'

/** Two nodes of one chain show different blocks at the same height: nothing may be proven from either until they agree. */
export class ChainDisagreementError extends Error {
  override readonly name = 'ChainDisagreementError'
}

async function blockAt(endpoint: RpcEndpoint, number: bigint): Promise<Block | null | undefined> {
  try {
    const [answer] = await endpoint.batch([getBlock(number)])
    return asBlock(answer)
  } catch {
    // A node that is down says nothing about the chain; failover and readiness report it.
    return undefined
  }
}

/** Asks every node for the block. A node that lags or is down is no witness; one that shows another hash is a contradiction. */
export async function corroborate(rpc: Rpc, number: bigint, hash: Hex): Promise<void> {
  if (rpc.endpoints.length < 2) return
  const seen = await Promise.all(rpc.endpoints.map((endpoint) => blockAt(endpoint, number)))
  const other = seen.findIndex((block) => block && block.hash !== hash)
  if (other >= 0)
    throw new ChainDisagreementError(
      `node ${other + 1} of ${rpc.endpoints.length} shows another block at height ${number}`,
    )
}

/** How the nodes of a chain stand to each other right now. */
export async function surveyNodes(rpc: Rpc): Promise<{ reachable: number; agree: boolean; heads: (bigint | null)[] }> {
  const heads = await Promise.all(
    rpc.endpoints.map(async (endpoint) => {
      try {
        const [answer] = await endpoint.batch([getBlock('latest')])
        return asBlock(answer)
      } catch {
        return null
      }
    }),
  )
  const known = heads.filter((head) => head !== null)
  const lowest = known.reduce<bigint | null>(
    (low, head) => (low === null || head.number < low ? head.number : low),
    null,
  )
  const atLowest = lowest === null ? [] : await Promise.all(rpc.endpoints.map((endpoint) => blockAt(endpoint, lowest)))
  const hashes = new Set(atLowest.flatMap((block) => (block ? [block.hash] : [])))
  return { reachable: known.length, agree: hashes.size <= 1, heads: heads.map((head) => head?.number ?? null) }
}

/** Nodes that serve another chain, or the same chain id from another genesis, are a configuration error, not a failover. */
export async function checkSameChain(rpc: Rpc): Promise<{ chainId: number; genesisHash: Hex }> {
  const identities = await Promise.all(
    rpc.endpoints.map(async (endpoint) => {
      try {
        const [id, genesis] = await endpoint.batch([{ method: 'eth_chainId', params: [] }, getBlock(0n)])
        const block = asBlock(genesis)
        return id?.ok && block ? { chainId: Number(id.value), genesisHash: block.hash } : null
      } catch {
        return null
      }
    }),
  )
  const [first, ...rest] = identities.filter((identity) => identity !== null)
  if (!first) throw new ChainDisagreementError(`none of the ${rpc.endpoints.length} chain nodes answers`)
  if (rest.some((other) => other.chainId !== first.chainId || other.genesisHash !== first.genesisHash))
    throw new ChainDisagreementError('the RPC URLs serve different chains')
  return first
}
