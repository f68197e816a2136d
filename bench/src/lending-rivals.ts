import { isDeepStrictEqual } from 'node:util'
import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import type { FastifyInstance } from 'fastify'
import { type Abi, createPublicClient, decodeFunctionData, http, parseAbi } from 'viem'
import { type AppParts, createApp } from '../../apps/server/src/app.ts'
import { abis } from '../../apps/server/src/lending/contracts.ts'
import type { Chain } from '../../apps/server/src/platform/chain/chain.ts'
import type { ContractRead } from '../../apps/server/src/platform/chain/contract-read.ts'
import { MULTICALL3 } from '../../apps/server/src/platform/chain/multicall.ts'
import { createNotedChains } from './asked-reads.ts'

type Read = ContractRead<unknown>
type Answerer = () => Promise<string>

const otherQuestions = parseAbi([
  'function isAuthorizedContract(address) view returns (bool)',
  'function topicsRegistry() view returns (address)',
  'function isIssuer(address) view returns (bool)',
])
const known: readonly Abi[] = [...Object.values(abis), demoSecurityAbi, demoIdentityRegistryAbi, otherQuestions]

/** A read as somebody would write it down who has nothing but viem. */
function asContract({ to, data }: Read) {
  for (const abi of known)
    try {
      return { address: to, abi, ...decodeFunctionData({ abi, data }) }
    } catch {
      // Not a function of this contract.
    }
  throw new Error(`no contract answers ${data.slice(0, 10)}`)
}

const answer = (block: { number: bigint; hash: string }, values: readonly unknown[]): string =>
  JSON.stringify({ block: block.number, hash: block.hash, values }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )

/** The same multicall over the product's own transport, its calldata ready. */
const bareMulticall =
  (chain: Chain, reads: readonly Read[]): Answerer =>
  async () => {
    const { block, results } = await chain.read(reads)
    const values = results as readonly { ok: boolean; value?: unknown }[]
    return answer(
      block,
      values.map(({ ok, value }) => (ok ? value : null)),
    )
  }

/** The same call over the product's own transport, its calldata ready. */
const bareCall =
  (
    chain: Chain,
    ask: (chain: Chain) => Promise<{ block: { number: bigint; hash: string }; value: unknown }>,
  ): Answerer =>
  async () => {
    const { block, value } = await ask(chain)
    return answer(block, [value])
  }

/** The same reads the way viem does them by default: its own HTTP transport, one request for the block and one for the multicall. */
function viemMulticall(rpcUrl: string, reads: readonly Read[]): Answerer {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const contracts = reads.map(asContract)
  return async () => {
    const [block, results] = await Promise.all([
      client.getBlock(),
      client.multicall({ contracts, multicallAddress: MULTICALL3 }),
    ])
    return answer(
      block,
      results.map(({ status, result }) => (status === 'success' ? result : null)),
    )
  }
}

/** `POST /rivals/{name}` learns from one request to the product which reads a path stands for; then they are served bare. */
export function serveRivals(bare: FastifyInstance, parts: AppParts, chain: Chain, rpcUrl: string): void {
  const noted = createNotedChains(parts.chains)
  // Another one than the measured product, which must not take notes.
  const product = createApp({ ...parts, chains: noted.chains })
  const rivals = new Map<string, Answerer>()

  bare.post<{ Params: { name: string }; Body: { path: string; headers: Record<string, string> } }>(
    '/rivals/:name',
    async ({ params: { name }, body: { path, headers } }) => {
      const question = await noted.askedBy(async () => {
        const { statusCode, payload } = await product.inject({ method: 'GET', url: path, headers })
        if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${payload}`)
      })
      if (question.kind === 'call') {
        rivals.set(`${name}/multicall`, bareCall(chain, question.ask))
        return { size: 1 }
      }
      const { reads } = question
      const both = [bareMulticall(chain, reads), viemMulticall(rpcUrl, reads)] as const
      const [ours, theirs] = await Promise.all(both.map(async (ask) => JSON.parse(await ask()) as unknown))
      if (!isDeepStrictEqual(ours, theirs)) throw new Error(`the rivals of ${name} read different things`)
      rivals.set(`${name}/multicall`, both[0])
      rivals.set(`${name}/viem`, both[1])
      return { size: reads.length }
    },
  )

  bare.get<{ Params: { name: string; way: string } }>(
    '/rivals/:name/:way',
    async ({ params: { name, way } }, reply) => {
      const ask = rivals.get(`${name}/${way}`)
      if (!ask) throw new Error(`there is no rival ${name}/${way}`)
      return reply.type('application/json; charset=utf-8').send(await ask())
    },
  )
}
