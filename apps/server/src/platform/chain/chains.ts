import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'
import type { ChainEndpoints } from '../config.ts'
import { ChainDisagreementError, checkSameChain } from './agreement.ts'
import { type Chain, createChain } from './chain.ts'
import { createRpc } from './rpc.ts'

/** The chains this deployment serves. */
export interface Chains {
  get(chainId: number): Chain
  readonly all: readonly Chain[]
  close(): Promise<void>
}

/** Connects to every configured chain and makes sure that its nodes are what they are said to be. */
export async function connectChains(
  configured: readonly ChainEndpoints[],
  options: { timeoutMs: number; clock: Clock },
): Promise<Chains> {
  const all = await Promise.all(
    configured.map(async ({ chainId, urls }) => {
      const rpc = createRpc(urls, options)
      const actual = await checkSameChain(rpc)
      if (chainId !== undefined && chainId !== actual.chainId)
        throw new ChainDisagreementError(
          `RPC_URL promises chain ${chainId}, but the node serves chain ${actual.chainId}`,
        )
      return createChain(actual.chainId, rpc)
    }),
  )
  return {
    all,
    get(chainId) {
      const chain = all.find((one) => one.chainId === chainId)
      if (!chain) throw new AppError('CHAIN_NOT_SERVED', { detail: `This deployment does not serve chain ${chainId}.` })
      return chain
    },
    close: async () => {
      await Promise.all(all.map((chain) => chain.rpc.close()))
    },
  }
}
