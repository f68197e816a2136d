import { createSuitesService } from '@tallystick/server/operator'
import { type Clock, connectChains, type Database } from '@tallystick/server/platform'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createDemoSigning } from './demo-signing.ts'

/** Enough for the largest of them, and two fit into a block. */
const CREATION_GAS = 12_000_000n

interface SuiteParts {
  readonly database: Database
  readonly rpcUrl: string
  readonly chainId: number
  readonly clock: Clock
  /** Owns the factory and sends the transactions. */
  readonly owner: PrivateKeyAccount
  /** Where the infrastructure fee of every market goes. */
  readonly platformWallet: Address
}

/** Puts the contracts on chain the way an operator does: asks what is missing, signs it, and has the rest recorded. */
export async function ensureSuites(parts: SuiteParts): Promise<Record<string, string>> {
  const { database, rpcUrl, chainId, clock, owner, platformWallet } = parts
  const chains = await connectChains([{ chainId, urls: [rpcUrl] }], { timeoutMs: 10_000, clock })
  const { sendAll } = createDemoSigning(rpcUrl)
  const service = createSuitesService(database, { clock })
  const chain = chains.get(chainId)
  // A chain that lost everything gets the contracts back where they were; the record may name an older release.
  const request = { owner: owner.address, platformWallet, replace: true }

  async function ensure(ask: () => ReturnType<typeof service.deployLending>): Promise<[string, string][]> {
    let { missing, recorded } = await ask()
    await sendAll(
      owner,
      missing.map(({ to, data }) => ({ to: to as Address, data: data as Hex, gas: CREATION_GAS })),
    )
    if (missing.length > 0) ({ missing, recorded } = await ask())
    if (missing.length > 0) throw new Error('the contracts of the demo are still incomplete')
    return recorded.map(({ name, address }) => [name, address])
  }
  try {
    const lending = await ensure(() => service.deployLending(chain, request))
    const stocks = await ensure(() => service.deployStocks(chain, request))
    const parties = { admin: owner.address, operator: owner.address, feeRecipient: platformWallet, replace: true }
    const trading = await ensure(() => service.deployTrading(chain, parties))
    return Object.fromEntries([...lending, ...stocks, ...trading])
  } finally {
    await chains.close()
  }
}
