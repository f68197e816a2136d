import { setTimeout as sleep } from 'node:timers/promises'
import { type ChainOptions, type EngineName, startChain, stopAbandonedChains } from '@tallystick/embedded'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hash,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { nodeTransport } from './node-transport.ts'
import { type Wallet, wallet } from './wallet.ts'

const POLLING_MS = 20

export interface TestChainOptions extends Omit<ChainOptions, 'now' | 'folder' | 'engine'> {
  now?: () => Date
}

export type ChainClients = ReturnType<typeof connectChain>

export interface TestChain extends ChainClients {
  engine: EngineName
  pid: number
  port: number
  stop(): Promise<void>
  kill9(): void
}

/** `CHAIN_NODE=edr npm run test:server` runs every test on that engine. */
export function chosenEngine(): { engine?: EngineName } {
  const { CHAIN_NODE: engine } = process.env
  return engine === 'anvil' || engine === 'edr' ? { engine } : {}
}

/** A chain in memory that mines every transaction at once. */
export async function startTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  await stopAbandonedChains()
  const chainId = options.chainId ?? 31337
  const node = await startChain({ now: () => new Date(), ...options, ...chosenEngine(), chainId })
  const { engine, pid, port, stop, kill9 } = node
  return { ...connectChain(node.url, chainId), engine, pid, port, stop, kill9 }
}

/**
 * Asks for a receipt until it is there. The client's own way waits for the next block when the first question comes too early, and
 * on a chain that mines with transactions only there may be none.
 */
function withPatience(client: PublicClient) {
  return {
    async waitForTransactionReceipt({ hash }: { hash: Hash }): Promise<TransactionReceipt> {
      for (;;) {
        const receipt = await client.getTransactionReceipt({ hash }).catch(nothingYet)
        if (receipt) return receipt
        await sleep(POLLING_MS)
      }
    },
  }
}

function nothingYet(fault: unknown): null {
  if (fault instanceof TransactionReceiptNotFoundError) return null
  throw fault
}

/** Clients for a chain that runs already, for example one started by the global set-up of the tests. */
export function connectChain(url: string, chainId = 31337) {
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const options = { chain, transport: nodeTransport(url), pollingInterval: POLLING_MS, cacheTime: 0 }
  const accounts: Wallet[] = Array.from({ length: 10 }, (_, index) => wallet(index))
  return {
    url,
    chainId,
    accounts,
    publicClient: createPublicClient(options).extend(withPatience),
    testClient: createTestClient({ ...options, mode: 'anvil' }),
    walletClient: createWalletClient({ ...options, account: wallet(0) }),
  }
}
