import { type CountingRpc, countingRpc, type TcpProxy, tcpProxy } from '@tallystick/testkit'
import { createLendingWorld, type LendingWorld } from './lending-world.ts'

export interface CutWorld extends LendingWorld {
  readonly counted: CountingRpc
  /** The wire to the node, to be cut. */
  readonly cut: TcpProxy
}

/** A lending world behind a wire: what goes over it is counted, and it can be cut. */
export async function createCutWorld(): Promise<CutWorld> {
  let wire: { counted: CountingRpc; cut: TcpProxy } | undefined
  const world = await createLendingWorld({
    rpcUrls: async (node) => {
      const counted = await countingRpc(node.url)
      wire = { counted, cut: await tcpProxy(counted.url) }
      return [wire.cut.url]
    },
  })
  if (!wire) throw new Error('the world came up without its wire')
  const { counted, cut } = wire
  return {
    ...world,
    counted,
    cut,
    async close() {
      await cut.stop()
      await counted.stop()
      await world.close()
    },
  }
}
