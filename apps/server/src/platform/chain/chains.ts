import { AppError } from '../app-error.ts'
import type { Clock } from '../clock.ts'
import type { ChainEndpoints } from '../config.ts'
import { ChainDisagreementError, checkSameChain } from './agreement.ts'
import { type Chain, createChain } from './chain.ts'
import { createRpc, type Rpc } from './rpc.ts'

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
  const rpcs = configured.map(({ urls }) => createRpc(urls, options))
  const close = async () => {
    await Promise.all(rpcs.map((rpc) => rpc.close()))
  }
  const connect = async (rpc: Rpc, promised: number | undefined): Promise<Chain> => {
    const { chainId } = await checkSameChain(rpc)
    if (promised !== undefined && promised !== chainId)
      throw new ChainDisagreementError(`RPC_URL promises chain ${promised}, but the node serves chain ${chainId}`)
    return createChain(chainId, rpc)
  }
  let all: Chain[]
  try {
    all = await Promise.all(rpcs.map((rpc, index) => connect(rpc, configured[index]?.chainId)))
  } catch (error) {
    await close()
    throw error
  }
  return {
    all,
    get(chainId) {
      const chain = all.find((one) => one.chainId === chainId)
      if (!chain) throw new AppError('CHAIN_NOT_SERVED', { detail: `This deployment does not serve chain ${chainId}.` })
      return chain
    },
    close,
  }
}
