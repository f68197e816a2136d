import { type TestChain, transact, type Wallet } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { callKinds, projections } from '../src/features.ts'
import { createFollower, type Follower } from '../src/follower/index.ts'
import { createLog } from '../src/platform/log.ts'
import { systemRandom } from '../src/platform/random.ts'
import type { RpcProxy } from './rpc-proxy.ts'
import type { TestAnswer, TestInstance, World } from './world.ts'

/** The answer, if it is a success. */
export function must(answer: TestAnswer): TestAnswer {
  if (answer.status !== 200) throw new Error(`expected a success, got ${answer.status}: ${answer.text}`)
  return answer
}

/** Proves to the instance that the wallet is its own. */
export async function registerWallet(instance: TestInstance, account: Wallet): Promise<void> {
  const { address } = account
  const challenge = must(await instance.call('POST', '/access/api/wallets/challenge', { body: { address } }))
  const { nonce, message } = challenge.body.data
  const signature = await account.signMessage({ message })
  must(await instance.call('POST', '/access/api/wallets', { body: { address, nonce, signature } }))
}

/** An instance whose wallet signs what it is told to sign. */
export interface Party extends TestInstance {
  readonly wallet: Wallet
  get(path: string): Promise<TestAnswer>
  post(path: string, body?: unknown): Promise<TestAnswer>
}

export async function partyOf(instance: TestInstance, account: Wallet): Promise<Party> {
  await registerWallet(instance, account)
  return {
    ...instance,
    wallet: account,
    get: (path) => instance.call('GET', path),
    post: (path, body) => instance.call('POST', path, body === undefined ? {} : { body }),
  }
}

/** Sends a transaction of any form; the hash. Throws when it reverts. */
export const senderOn =
  (chain: TestChain) =>
  async (account: Wallet, { to, data }: { to: Address; data: Hex }, gas?: bigint): Promise<Hex> =>
    (await transact(chain, account, { to, data, ...(gas ? { gas } : {}) })).transactionHash

/** A follower that has noted where the chain of a world stands, and goes on when told. */
export async function followerOf({ database, clock, chains }: World): Promise<{
  follower: Follower
  follow(): Promise<void>
}> {
  const [served] = chains.all
  if (!served) throw new Error('the world serves no chain')
  const follower = createFollower({
    ...{ database, clock, random: systemRandom, log: createLog({ level: 'silent' }), kinds: callKinds, projections },
    confirmations: 3,
    mayStartOver: false,
  })
  const follow = async () => {
    await follower.pass(served)
  }
  await follow()
  return { follower, follow }
}

/** What the proxy before a node shows and can do. */
export const throughProxy = (proxy: RpcProxy) => ({
  /** How many round trips to the node this takes. */
  async roundTrips(work: () => Promise<unknown>): Promise<number> {
    const before = proxy.requests.length
    await work()
    return proxy.requests.length - before
  },
  /** Runs while no node answers. */
  withoutNode<T>(work: () => Promise<T>): Promise<T> {
    proxy.replaceResponse = { status: 502, body: 'down' }
    return work().finally(() => {
      proxy.replaceResponse = undefined
    })
  },
})
