import { type RpcProxy, rpcProxy } from '../rpc-proxy.ts'
import { createLendingWorld, type LendingWorld } from './lending-world.ts'

export interface ProxiedWorld extends LendingWorld {
  readonly proxy: RpcProxy
  /** How many round trips to the node this takes. */
  roundTrips(work: () => Promise<unknown>): Promise<number>
  /** Runs them so that each has asked for a block before any of them gets one: none can be over before the others began. */
  togetherAtNode<T>(works: readonly (() => Promise<T>)[]): Promise<T[]>
  /** Runs while no node answers. */
  withoutNode<T>(work: () => Promise<T>): Promise<T>
  /** Runs while a contract does not answer any call. */
  withBroken<T>(address: `0x${string}`, work: () => Promise<T>): Promise<T>
}

/** A lending world whose node can be counted, lost, and brought back. */
export async function createProxiedWorld(): Promise<ProxiedWorld> {
  let proxy: RpcProxy | undefined
  const world = await createLendingWorld({
    rpcUrls: async (node) => {
      proxy = await rpcProxy(node.url)
      return [proxy.url]
    },
  })
  if (!proxy) throw new Error('the world came up without its proxy')
  const standing = proxy
  const { testClient, publicClient } = world.node
  return {
    ...world,
    proxy: standing,
    async roundTrips(work) {
      const before = standing.requests.length
      await work()
      return standing.requests.length - before
    },
    async togetherAtNode(works) {
      let arrived = 0
      let letGo = () => {}
      const everybody = new Promise<void>((resolve) => {
        letGo = resolve
      })
      standing.afterCall = async (method) => {
        if (method !== 'eth_getBlockByNumber') return
        arrived += 1
        if (arrived === works.length) letGo()
        await everybody
      }
      return Promise.all(works.map((work) => work())).finally(() => {
        standing.afterCall = undefined
      })
    },
    async withoutNode(work) {
      standing.replaceResponse = { status: 502, body: 'down' }
      return work().finally(() => {
        standing.replaceResponse = undefined
      })
    },
    async withBroken(address, work) {
      // Reverts at once: an invalid opcode would burn the gas of all other reads.
      const code = await publicClient.getCode({ address })
      await testClient.setCode({ address, bytecode: '0x5f5ffd' })
      return work().finally(() => testClient.setCode({ address, bytecode: code ?? '0x' }))
    },
    async close() {
      await world.close()
      await standing.stop()
    },
  }
}
