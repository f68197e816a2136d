import { setTimeout as sleep } from 'node:timers/promises'
import { connectChain } from '@tallystick/testkit'
import type { Manner } from './chain-front.ts'
import type { Figures, Scenario, Stage } from './scenario.ts'

const FORK_DEPTH = 3

/** The node behaves so for a while, blocks go on, and orders, which need no chain, do too. */
async function misbehave({ cluster, load, seconds }: Stage, manner: Manner): Promise<Figures> {
  const { testClient } = connectChain(cluster.chain.url)
  const at = Date.now()
  cluster.front.manner = manner
  for (const until = at + seconds * 1000; Date.now() < until; await sleep(500)) await testClient.mine({ blocks: 1 })
  cluster.front.manner = 'well'
  return { orderGapMs: load.longestGap(at) }
}

const manner = (name: Manner, says: string): Scenario => ({
  says,
  bars: { orderGapMs: 2_000 },
  times: 1,
  run: (stage) => misbehave({ ...stage, seconds: Math.min(stage.seconds, 15) }, name),
})

export const chainScenarios: Record<string, Scenario> = {
  'chain-lags': manner('lags', 'the node is five seconds late with everything'),
  'chain-other-height': manner('other-height', 'the node tells new blocks at once and answers from old ones'),
  'chain-drops': manner('drops', 'the node drops every other request'),
  'chain-429': manner('too-many', 'the node answers every other request with 429'),
  'chain-gone': {
    says: 'the node is gone; orders of off-chain books go on',
    bars: { orderGapMs: 2_000 },
    times: 1,
    run: (stage) => misbehave(stage, 'gone'),
  },
  'chain-fork': {
    says: 'three blocks are undone and others take their places',
    bars: {},
    times: 1,
    async run({ cluster }) {
      const { testClient } = connectChain(cluster.chain.url)
      const id = await testClient.snapshot()
      await testClient.mine({ blocks: FORK_DEPTH })
      // Until the follower has them.
      await sleep(3_000)
      await testClient.revert({ id })
      await testClient.mine({ blocks: FORK_DEPTH + 1, interval: 2 })
      await sleep(3_000)
      return { undoneBlocks: FORK_DEPTH }
    },
  },
}
