import { type ChainClients, nodeTransport } from '@tallystick/testkit'
import { createWalletClient, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The same chain with a fresh, funded sender: files that run at the same time would take each other's nonces. */
export async function withOwnAccount(chain: ChainClients): Promise<ChainClients> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.testClient.setBalance({ address: account.address, value: parseEther('1000') })
  const { chain: definition } = chain.walletClient
  const walletClient = createWalletClient({ account, chain: definition, transport: nodeTransport(chain.url) })
  return { ...chain, walletClient: walletClient as unknown as ChainClients['walletClient'] }
}
