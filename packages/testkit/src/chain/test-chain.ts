import { type AnvilOptions, startAnvil, stopAbandonedChains } from '@tallystick/embedded'
import { createPublicClient, createTestClient, createWalletClient, defineChain, http } from 'viem'
import { type Wallet, wallet } from './wallet.ts'

export interface TestChainOptions {
  chainId?: number
  port?: number
  /** Mines at this pace as well; when not given, with every transaction only. */
  blockTimeSeconds?: number
  now?: () => Date
  extraArgs?: AnvilOptions['extraArgs']
}

export type ChainClients = ReturnType<typeof connectChain>

export interface TestChain extends ChainClients {
  pid: number
  port: number
  stop(): Promise<void>
  kill9(): void
}

/** A chain in memory that mines every transaction at once. */
export async function startTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  await stopAbandonedChains()
  const chainId = options.chainId ?? 31337
  const node = await startAnvil({ now: () => new Date(), ...options, chainId })
  return { ...connectChain(node.url, chainId), pid: node.pid, port: node.port, stop: node.stop, kill9: node.kill9 }
}

/** Clients for a chain that runs already, for example one started by the global set-up of the tests. */
export function connectChain(url: string, chainId = 31337) {
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const options = { chain, transport: http(url), pollingInterval: 20, cacheTime: 0 }
  const accounts: Wallet[] = Array.from({ length: 10 }, (_, index) => wallet(index))
  return {
    url,
    chainId,
    accounts,
    publicClient: createPublicClient(options),
    testClient: createTestClient({ ...options, mode: 'anvil' }),
    walletClient: createWalletClient({ ...options, account: wallet(0) }),
  }
}
