import { identityRegistryAbi, stockTokenAbi } from '@tallystick/abi'
import type { StockSuite } from '@tallystick/deployer'
import { deployStockSuite, send, startPreparedChain, type TestChain, type Wallet, wallet } from '@tallystick/testkit'
import type { Sql } from 'postgres'
import { type Address, type Hex, keccak256, parseEther, parseUnits } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { createRelayerOperator } from '../../src/relayer/index.ts'
import { startTestSigner, type TestSigner } from '../relayer/test-signer.ts'
import { type RpcProxy, rpcProxy } from '../rpc-proxy.ts'
import { followerOf, must, type Party, partyOf, senderOn, throughProxy } from '../signing.ts'
import { connectSuperuser } from '../superuser.ts'
import { createWorld, type TestAnswer, type TestInstance, type World } from '../world.ts'

export { must, type Party }

export const STOCKS = '/stocks/api'

/** The relayer of an instance, and the signer that it asks. */
export interface TestRelayer {
  readonly address: Address
  readonly signer: TestSigner
}

export interface StocksWorld extends World {
  readonly node: TestChain
  readonly proxy: RpcProxy
  readonly suite: StockSuite
  readonly superuser: Sql
  /** Its wallet issues the tokens, and is the provider of the identity registry. */
  readonly issuer: Party
  readonly outsider: Party
  createParty(account: Wallet): Promise<Party>
  /** What a deployment of Nordlicht shares takes. */
  terms(request?: Record<string, unknown>): Record<string, unknown>
  /** A token of the issuer's, deployed and recorded through the interface. */
  deployStock(request?: Record<string, unknown>): Promise<{ token: Address; txHash: Hex }>
  /** Known to the registry from now on. */
  verify(...accounts: readonly Address[]): Promise<void>
  /** Straight on chain, by the issuer unless told otherwise; the hash. */
  onToken(token: Address, functionName: string, args: readonly unknown[], account?: Wallet): Promise<Hex>
  /** Signs and sends what a build answered; the hash. Throws when it reverts. */
  sign(account: Wallet, built: TestAnswer): Promise<Hex>
  sendRaw(account: Wallet, call: { to: Address; data: Hex }, gas?: bigint): Promise<Hex>
  /** A call to this contract that was mined and failed; the hash. */
  failed(to: Address): Promise<Hex>
  /** Builds, signs and confirms one write; the answer of the confirmation. */
  carryOut(party: Party, path: string, body: Record<string, unknown>, account?: Wallet): Promise<TestAnswer>
  /** Gives an instance a relayer with a signer of its own, and ether. */
  giveRelayer(party: TestInstance): Promise<TestRelayer>
  follow(): Promise<void>
  /** How many round trips to the node this takes. */
  roundTrips(work: () => Promise<unknown>): Promise<number>
  /** Runs while no node answers. */
  withoutNode<T>(work: () => Promise<T>): Promise<T>
}

/** Status and code of a refusal. */
export const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

/** Whole shares in the smallest unit. */
export const shares = (whole: string | number, decimals = 18): bigint => parseUnits(String(whole), decimals)

/** The product with the stock suite on a chain of its own, behind a proxy, and two instances with wallets. */
export async function createStocksWorld(): Promise<StocksWorld> {
  const { node, made: suite } = await startPreparedChain('stocks', (chain) => deployStockSuite(chain))
  const proxy = await rpcProxy(node.url)
  const world = await createWorld({ rpcUrls: [proxy.url] })
  const superuser = connectSuperuser(world.databaseUrl)
  await superuser`
    insert into deployed_contracts (chain_id, name, address, recorded_at) values
      (${node.chainId}, 'StockFactory', ${suite.stockFactory}, now()), (${node.chainId}, 'IdentityRegistry', ${suite.identityRegistry}, now())`
  const { database, clock } = world
  const { follow } = await followerOf(world)
  const relayers = createRelayerOperator(database, { clock, keys: {} })
  const signers: TestSigner[] = []

  const onRegistry = (functionName: string, args: readonly unknown[]) =>
    send(node, { address: suite.identityRegistry, abi: identityRegistryAbi, functionName, args })
  await onRegistry('addKYCProvider', [wallet(0).address, 'Tests'])

  const createParty = async (account: Wallet) => partyOf(await world.createInstance(), account)
  const issuer = await createParty(wallet(0))
  const outsider = await createParty(wallet(2))

  const sendRaw = senderOn(node)
  const sign = (account: Wallet, built: TestAnswer) => {
    const { txData, gasLimit } = must(built).body.data
    return sendRaw(account, txData, gasLimit ? BigInt(gasLimit) : undefined)
  }

  const terms = (request: Record<string, unknown> = {}) => ({
    name: 'Nordlicht Windpark AG',
    symbol: 'NORD',
    isin: 'DE000A1EWWW0',
    issuerAddress: issuer.wallet.address,
    ...request,
  })

  async function carryOut(party: Party, path: string, body: Record<string, unknown>, account = party.wallet) {
    const txHash = await sign(account, await party.post(path, body))
    return must(await party.post(path, { ...body, txHash }))
  }

  return {
    ...world,
    node,
    proxy,
    suite,
    superuser,
    issuer,
    outsider,
    createParty,
    terms,
    async deployStock(request = {}) {
      const { body } = await carryOut(issuer, `${STOCKS}/tokenization/deploy`, terms(request))
      return { token: body.data.tokenAddress, txHash: body.data.transactionHash }
    },
    async verify(...accounts) {
      for (const account of accounts) await onRegistry('verifyIdentity', [account, keccak256(account), 1, 0n, 0n, 276])
    },
    async onToken(token, functionName, args, account) {
      const call = { address: token, abi: stockTokenAbi, functionName, args, ...(account ? { account } : {}) }
      return (await send(node, call)).transactionHash
    },
    sign,
    sendRaw,
    async failed(to) {
      const hash = await node.walletClient.sendTransaction({ to, data: '0xdeadbeef', gas: 200_000n })
      await node.publicClient.waitForTransactionReceipt({ hash })
      return hash
    },
    carryOut,
    async giveRelayer({ instanceId }) {
      const signer = await startTestSigner(generatePrivateKey())
      signers.push(signer)
      const address = signer.account.address.toLowerCase() as Address
      await node.testClient.setBalance({ address, value: parseEther('100') })
      await relayers.set(instanceId, { remoteUrl: signer.url, address }, false)
      return { address, signer }
    },
    follow,
    ...throughProxy(proxy),
    async close() {
      await Promise.all(signers.map((one) => one.stop()))
      await superuser.end()
      await world.close()
      await proxy.stop()
      await node.stop()
    },
  }
}
